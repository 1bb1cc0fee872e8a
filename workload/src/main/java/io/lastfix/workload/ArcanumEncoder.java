package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import java.util.List;

/**
 * Writes the pilot's XML: one {@code event}, or an {@code events} element with many, about 420
 * bytes a record. Fields that a LocationRecord lacks (source, probe, type, cause, IMSI) are derived
 * from the sequence number, the cell and the user.
 */
final class ArcanumEncoder implements RecordEncoder {
  private static final String[] TYPES = {
    "LOCATION_UPDATE", "ATTACH", "HANDOVER", "CALL_SETUP", "SMS", "PAGING_RESPONSE"
  };
  private static final String[] CAUSES = {
    "periodic", "normal", "mobility", "normal", "normal", "none"
  };
  private static final long FIRST_EVENT_ID = 100_000_000;
  private static final long SUBSCRIBER_NUMBERS = 10_000_000_000L;

  private final MessageBuffer buffer = new MessageBuffer();

  @Override
  public byte[] encode(List<LocationRecord> records, long sequence) {
    if (records.isEmpty()) {
      throw new IllegalArgumentException("records: expected at least one");
    }
    buffer.clear();
    if (records.size() == 1) {
      event(records.get(0), sequence);
    } else {
      buffer.plain("<events>\n");
      for (int i = 0; i < records.size(); i++) {
        event(records.get(i), sequence + i);
      }
      buffer.plain("</events>\n");
    }
    return buffer.toBytes();
  }

  private void event(LocationRecord record, long sequence) {
    CellId cell = RecordEncoder.cellOf(record);
    int kind = (int) (sequence % TYPES.length);
    buffer.plain("<event id=\"e-").number(FIRST_EVENT_ID + sequence);
    buffer.plain("\" version=\"1.0\">\n  <header><source>MSC-").padded(cell.cid() % 32, 2);
    buffer.plain("</source><probe>LDN-A-").padded(cell.cid() % 97, 2);
    buffer.plain("</probe><sequence>").number(sequence);
    buffer.plain("</sequence><type>").plain(TYPES[kind]);
    buffer.plain("</type></header>\n  <subscriber><imei>").xmlText(record.user());
    buffer.plain("</imei><imsi>").padded(cell.mcc(), 3).padded(cell.mnc() % 100, 2);
    buffer.padded((record.user().hashCode() & 0xFFFF_FFFFL) % SUBSCRIBER_NUMBERS, 10);
    buffer.plain("</imsi></subscriber>\n  <cell>");
    Radio radio = record.radio();
    if (radio != null) {
      buffer.plain("<radio>").plain(radio.name()).plain("</radio>");
    }
    buffer.plain("<mcc>").number(cell.mcc()).plain("</mcc><mnc>").number(cell.mnc());
    buffer.plain("</mnc>");
    if (cell.hasArea()) {
      buffer.plain("<lac>").number(cell.area()).plain("</lac>");
    }
    buffer.plain("<cid>").number(cell.cid());
    buffer.plain("</cid></cell>\n  <timestamp>").isoTime(record.timestampMillis());
    buffer.plain("</timestamp>\n  <cause>").plain(CAUSES[kind]);
    buffer.plain("</cause>\n</event>\n");
  }

  @Override
  public LocationRecord asRead(LocationRecord record) {
    return new LocationRecord(
        record.user(), RecordEncoder.cellOf(record), record.radio(), record.timestampMillis());
  }
}
