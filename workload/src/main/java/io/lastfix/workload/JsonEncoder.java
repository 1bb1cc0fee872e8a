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
    buffer.ascii(open);
    for (int i = 0; i < records.size(); i++) {
      if (i > 0) {
        buffer.ascii(separator);
      }
      object(records.get(i));
    }
    return buffer.ascii(close).toBytes();
  }

  private void object(LocationRecord record) {
    buffer.ascii("{\"user\":").jsonText(record.user());
    CellId cell = record.cell();
    if (cell != null) {
      cell(cell, record.radio());
    }
    buffer.ascii(",\"ts\":").number(record.timestampMillis());
    Fix fix = record.fix();
    if (fix != null) {
      position(fix);
    }
    buffer.ascii("}");
  }

  private void cell(CellId cell, @Nullable Radio radio) {
    buffer.ascii(",\"cell\":{");
    if (radio != null) {
      buffer.ascii("\"radio\":\"").ascii(radio.name()).ascii("\",");
    }
    buffer.ascii("\"mcc\":").number(cell.mcc()).ascii(",\"mnc\":").number(cell.mnc());
    if (cell.hasArea()) {
      buffer.ascii(",\"area\":").number(cell.area());
    }
    buffer.ascii(",\"cid\":").number(cell.cid()).ascii("}");
  }

  private void position(Fix fix) {
    buffer.ascii(",\"position\":{\"lon\":").decimal(fix.position().lon());
    buffer.ascii(",\"lat\":").decimal(fix.position().lat());
    if (fix.accuracyMeters() != null) {
      buffer.ascii(",\"accuracy\":").decimal(fix.accuracyMeters());
    }
    if (fix.altitudeMeters() != null) {
      buffer.ascii(",\"altitude\":").decimal(fix.altitudeMeters());
    }
    buffer.ascii(",\"source\":\"").ascii(fix.source().text()).ascii("\"}");
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

  @Override
  public boolean hasPositions() {
    return true;
  }

  @Override
  public long clockStepMillis() {
    return 1;
  }

  @Override
  public String userField() {
    return "user";
  }

  @Override
  public String beforeCountryCode() {
    return "\"mcc\":";
  }
}
