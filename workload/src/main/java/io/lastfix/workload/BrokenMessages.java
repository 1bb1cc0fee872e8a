package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The messages of the sample that a parser must reject, one for each kind of error. */
final class BrokenMessages {
  private static final CellId CELL = CellId.parse("311-480-9728-9903886");
  private static final String EVENT =
      """
      <event id="e-1" version="1.0">
        <subscriber><imei>350000000000006</imei></subscriber>
        <cell><radio>LTE</radio><mcc>311</mcc><mnc>480</mnc><lac>9728</lac><cid>9903886</cid></cell>
        <timestamp>2008-05-24T12:00:00Z</timestamp>
      </event>
      """;
  private static final String OBJECT =
      """
      {"user":"350000000000006","cell":"311-480-9728-9903886","ts":"2008-05-24T12:00:00Z"}""";

  /** All of them, each with its number of records to reject and its good records. */
  static final List<OutgoingMessage> ALL =
      List.of(
          xml(EVENT.substring(0, EVENT.indexOf("<timestamp>"))),
          xml(EVENT.replace("<imei>350000000000006</imei>", "")),
          xml(EVENT.replace("9903886", "0x971FAE")),
          xml(EVENT.replace("2008", "2099")),
          xml(EVENT.replace("2008-05-24T12:00:00Z", "1980-01-06T00:00:00Z")),
          xml(EVENT.replace("2008-05-24T12:00:00Z", "24.05.2008 12:00")),
          xml("<!DOCTYPE event [<!ENTITY a \"aaaa\">]>\n" + EVENT),
          xml(""),
          xml("\0\1\2 not a message"),
          json(OBJECT.substring(0, OBJECT.length() - 12)),
          json(OBJECT.replace("user", "device")),
          json(OBJECT.replace("311-", "4711-")),
          json(OBJECT.replace("\"cell\":\"311-480-9728-9903886\",", "")),
          secondOfThreeWithoutTime());

  private BrokenMessages() {}

  private static OutgoingMessage xml(String text) {
    return broken(MessageFormat.ARCANUM, text, List.of());
  }

  private static OutgoingMessage json(String text) {
    return broken(MessageFormat.JSON, text, List.of());
  }

  private static OutgoingMessage secondOfThreeWithoutTime() {
    LocationRecord first =
        new LocationRecord(Imei.ofDevice(0), CELL, Radio.LTE, 1_211_630_400_000L);
    LocationRecord third =
        new LocationRecord(Imei.ofDevice(0), CELL, Radio.LTE, 1_211_630_460_000L);
    RecordEncoder encoder = MessageFormat.JSON.newEncoder();
    String text =
        "[%s,%s,%s]"
            .formatted(
                text(encoder.encode(List.of(first), 0)),
                OBJECT.replace("\"ts\"", "\"time\""),
                text(encoder.encode(List.of(third), 0)));
    return broken(MessageFormat.JSON, text, List.of(first, third));
  }

  private static String text(byte[] encoded) {
    return new String(encoded, StandardCharsets.UTF_8);
  }

  private static OutgoingMessage broken(
      MessageFormat format, String text, List<LocationRecord> goodRecords) {
    byte[] value = text.getBytes(StandardCharsets.UTF_8);
    return OutgoingMessage.broken(format, null, value, goodRecords);
  }
}
