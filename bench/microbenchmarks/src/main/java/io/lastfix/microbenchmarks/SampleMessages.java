package io.lastfix.microbenchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Messages in the shape of real ones. A set always holds {@link #RECORDS} records, each with its
 * own user, cell and time. A score therefore is the time of one record, however many records a
 * message holds.
 */
final class SampleMessages {
  /** Records that one invocation of a decoder's benchmark reads. */
  static final int RECORDS = 50;

  /** The decoders' current time, milliseconds since 1970; later than all records. */
  static final long NOW_MILLIS = Instant.parse("2026-11-20T13:00:00Z").toEpochMilli();

  private static final Instant FIRST_TIME = Instant.parse("2026-11-20T12:00:01.001Z");
  private static final long FIRST_USER = 350_000_000_007_919L;
  private static final long USER_STEP = 104_729;
  private static final int FIRST_CID = 20_911_362;
  private static final DateTimeFormatter MLP_TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private SampleMessages() {}

  /**
   * The messages of a profile.
   *
   * @param profile {@code arcanum}, {@code mlp} or {@code json}
   * @param recordsPerMessage a divisor of {@link #RECORDS}
   */
  static byte[][] of(String profile, int recordsPerMessage) {
    return switch (profile) {
      case "arcanum" -> messages(recordsPerMessage, SampleMessages::arcanum);
      case "mlp" -> messages(recordsPerMessage, SampleMessages::mlp);
      case "json" -> messages(recordsPerMessage, records -> all(records, SampleMessages::json));
      default -> throw new IllegalArgumentException("profile: none is named " + profile);
    };
  }

  private interface MessageOfRecords {
    String text(List<Integer> records);
  }

  private static byte[][] messages(int recordsPerMessage, MessageOfRecords message) {
    return IntStream.range(0, RECORDS / recordsPerMessage)
        .mapToObj(
            number ->
                IntStream.range(number * recordsPerMessage, (number + 1) * recordsPerMessage)
                    .boxed()
                    .toList())
        .map(records -> message.text(records).getBytes(UTF_8))
        .toArray(byte[][]::new);
  }

  private static String all(List<Integer> records, IntFunction<String> text) {
    return records.stream().map(text::apply).collect(Collectors.joining());
  }

  private static String arcanum(List<Integer> records) {
    String events = all(records, SampleMessages::arcanumEvent);
    return records.size() == 1 ? events : "<events>\n" + events + "</events>\n";
  }

  private static String arcanumEvent(int record) {
    return """
    <event id="e-%d" version="1.0">
      <header><source>MSC-07</source><probe>LDN-A-12</probe><sequence>%d</sequence><type>LOCATION_UPDATE</type></header>
      <subscriber><imei>%d</imei><imsi>2341000%08d</imsi></subscriber>
      <cell><radio>LTE</radio><mcc>234</mcc><mnc>10</mnc><lac>4021</lac><cid>%d</cid></cell>
      <timestamp>%s</timestamp>
      <cause>periodic</cause>
    </event>
    """
        .formatted(
            100_000_000 + record, record, user(record), record, FIRST_CID + record, time(record));
  }

  private static String mlp(List<Integer> records) {
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <svc_result ver="3.4.0">
    <slia ver="3.4.0">
    %s<result resid="0">OK</result>
    </slia>
    </svc_result>
    """
        .formatted(all(records, SampleMessages::mlpPosition));
  }

  private static String mlpPosition(int record) {
    return """
    <pos result_type="FINAL">
      <msid type="IMEI">%d</msid>
      <pd>
        <time utc_off="+0000">%s</time>
        <shape><CircularArea><coord><X>51.5</X><Y>-0.12</Y></coord><radius>25</radius></CircularArea></shape>
      </pd>
      <gsm_net_param>
        <cgi><mcc>234</mcc><mnc>15</mnc><lac>311</lac><cellid>%d</cellid></cgi>
        <neid><vmscid><vmscno>447700900900</vmscno></vmscid></neid>
      </gsm_net_param>
    </pos>
    """
        .formatted(user(record), MLP_TIME.format(time(record)), 40_021 + record);
  }

  private static String json(int record) {
    return """
    {"user":"%d","cell":{"radio":"LTE","mcc":234,"mnc":10,"area":4021,"cid":%d},"ts":%d}
    """
        .formatted(user(record), FIRST_CID + record, time(record).toEpochMilli());
  }

  /** A number of 15 digits, like an IMEI. */
  static long user(int record) {
    return FIRST_USER + record * USER_STEP;
  }

  private static Instant time(int record) {
    return FIRST_TIME.plusMillis(record * 1_013L);
  }
}
