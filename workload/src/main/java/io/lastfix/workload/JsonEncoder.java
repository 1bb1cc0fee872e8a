package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import java.util.List;

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
    CellId cell = record.cell();
    buffer.ascii("{\"user\":").jsonText(record.user()).ascii(",\"cell\":{");
    Radio radio = record.radio();
    if (radio != null) {
      buffer.ascii("\"radio\":\"").ascii(radio.name()).ascii("\",");
    }
    buffer.ascii("\"mcc\":").number(cell.mcc()).ascii(",\"mnc\":").number(cell.mnc());
    if (cell.hasArea()) {
      buffer.ascii(",\"area\":").number(cell.area());
    }
    buffer.ascii(",\"cid\":").number(cell.cid());
    buffer.ascii("},\"ts\":").number(record.timestampMillis()).ascii("}");
  }

  @Override
  public LocationRecord asRead(LocationRecord record) {
    return record;
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
