package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Radio;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object, or many as an array or one a line (NDJSON). */
final class JsonEncoder implements RecordEncoder {
  private final String open;
  private final String separator;
  private final String close;
  private final MessageBuffer buffer = new MessageBuffer();

  private JsonEncoder(String open, String separator, String close) {
    this.open = open;
    this.separator = separator;
    this.close = close;
  }

  static JsonEncoder array() {
    return new JsonEncoder("[", ",", "]");
  }

  static JsonEncoder lines() {
    return new JsonEncoder("", "\n", "\n");
  }

  @Override
  public byte[] encode(List<LocationRecord> records, long sequence) {
    if (records.isEmpty()) {
      throw new IllegalArgumentException("records: expected at least one");
    }
    buffer.clear();
    if (records.size() == 1) {
      object(records.get(0));
      return buffer.toBytes();
    }
    buffer.plain(open);
    for (int i = 0; i < records.size(); i++) {
      if (i > 0) {
        buffer.plain(separator);
      }
      object(records.get(i));
    }
    return buffer.plain(close).toBytes();
  }

  private void object(LocationRecord record) {
    buffer.plain("{\"user\":").jsonText(record.user());
    CellId cell = record.cell();
    if (cell != null) {
      cell(cell, record.radio());
    }
    buffer.plain(",\"ts\":").number(record.timestampMillis());
    Fix fix = record.fix();
    if (fix != null) {
      position(fix);
    }
    buffer.plain("}");
  }

  private void cell(CellId cell, @Nullable Radio radio) {
    buffer.plain(",\"cell\":{");
    if (radio != null) {
      buffer.plain("\"radio\":\"").plain(radio.name()).plain("\",");
    }
    buffer.plain("\"mcc\":").number(cell.mcc()).plain(",\"mnc\":").number(cell.mnc());
    if (cell.hasArea()) {
      buffer.plain(",\"area\":").number(cell.area());
    }
    buffer.plain(",\"cid\":").number(cell.cid()).plain("}");
  }

  private void position(Fix fix) {
    buffer.plain(",\"position\":{\"lon\":").decimal(fix.position().lon());
    buffer.plain(",\"lat\":").decimal(fix.position().lat());
    if (fix.accuracyMeters() != null) {
      buffer.plain(",\"accuracy\":").decimal(fix.accuracyMeters());
    }
    if (fix.altitudeMeters() != null) {
      buffer.plain(",\"altitude\":").decimal(fix.altitudeMeters());
    }
    buffer.plain(",\"source\":\"").plain(fix.source().text()).plain("\"}");
  }

  /** Also drops the shape. */
  @Override
  public LocationRecord asRead(LocationRecord record) {
    Fix fix = record.fix();
    return fix == null || fix.shape() == null
        ? record
        : new LocationRecord(
            record.user(),
            Place.of(
                record.cell(),
                record.radio(),
                new Fix(
                    fix.position(),
                    fix.source(),
                    fix.accuracyMeters(),
                    fix.altitudeMeters(),
                    null)),
            record.timestampMillis());
  }
}
