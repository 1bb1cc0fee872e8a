package io.lastfix.parse;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Named messages in the shape of real ones, and what they hold. A test changes what it is about.
 */
public final class Messages {
  public static final long NOW = Instant.parse("2026-11-20T12:00:30Z").toEpochMilli();

  public static final LocationRecord RECORD =
      record("350000000007919", "234-10-4021-20911362", Radio.LTE, "2026-11-20T12:00:01.001Z");

  public static final String ARCANUM =
      """
      <event id="e-100000001" version="1.0">
        <header><source>MSC-07</source><probe>LDN-A-12</probe><sequence>1</sequence><type>LOCATION_UPDATE</type></header>
        <subscriber><imei>350000000007919</imei><imsi>234100000104729</imsi></subscriber>
        <cell><radio>LTE</radio><mcc>234</mcc><mnc>10</mnc><lac>4021</lac><cid>20911362</cid></cell>
        <timestamp>2026-11-20T12:00:01.001Z</timestamp>
        <cause>periodic</cause>
      </event>
      """;

  public static final String JSON =
      """
      {"user":"350000000007919","cell":{"radio":"LTE","mcc":234,"mnc":10,"area":4021,"cid":20911362},"ts":1795176001001}""";

  public static final LocationRecord MLP_CGI_RECORD =
      new LocationRecord(
          "447700900123",
          Place.of(
              CellId.parse("234-15-311-40021"),
              null,
              new Fix(new Position(-0.12, 51.5), PositionSource.MLP, 25.0, null, null)),
          Instant.parse("2026-11-20T12:00:01Z").toEpochMilli());

  public static final String MLP_CGI_POS =
      """
      <pos result_type="FINAL">
        <msid>447700900123</msid>
        <pd>
          <time utc_off="+0100">20261120130001</time>
          <shape><CircularArea><coord><X>51.5</X><Y>-0.12</Y></coord><radius>25</radius></CircularArea></shape>
        </pd>
        <gsm_net_param>
          <cgi><mcc>234</mcc><mnc>15</mnc><lac>311</lac><cellid>40021</cellid></cgi>
          <neid><vmscid><vmscno>447700900900</vmscno></vmscid></neid>
        </gsm_net_param>
      </pos>
      """;

  public static final LocationRecord MLP_LTE_RECORD =
      record("234150000000042", "234-15--20911362", Radio.LTE, "2026-11-20T11:30:00Z");

  public static final String MLP_LTE_POS =
      """
      <pos>
        <msid/>
        <pd><time utc_off="-0030">20261120110000</time></pd>
        <gsm_net_param><imsi>234150000000042</imsi><lmsi>71a0</lmsi></gsm_net_param>
        <serving_cell><mcc>234</mcc><mnc>15</mnc><lte_ci>20911362</lte_ci></serving_cell>
        <tac>4021</tac>
      </pos>
      """;

  public static final String MLP_POSERR =
      """
      <pos>
        <msid>447700900124</msid>
        <poserr><result resid="4">UNKNOWN SUBSCRIBER</result><time utc_off="+0000">20261120110000</time></poserr>
      </pos>
      """;

  public static final String OSMAND =
      "id=123456&timestamp=1795176001&lat=51.5072&lon=-0.1276&speed=0.0&bearing=0.0&altitude=35.2&accuracy=10.0&batt=83.0";

  public static final String OSMAND_JSON =
      """
      {"location":{"timestamp":"2026-11-20T12:00:01Z","coords":{"latitude":51.5072,"longitude":-0.1276,"accuracy":10.0,"altitude":35.2},"is_moving":false},"device_id":"123456"}""";

  /** Two positions of one device, which is named behind them. */
  public static final String OSMAND_BATCH =
      """
      {"location":[{"timestamp":"2026-11-20T12:00:01Z","coords":{"latitude":51.5072,"longitude":-0.1276,"accuracy":10.0}},{"timestamp":"2026-11-20T12:00:31Z","coords":{"latitude":51.5,"longitude":-0.1}}],"device_id":"123456"}""";

  public static final String OWNTRACKS =
      """
      {"_type":"location","tid":"JD","topic":"owntracks/jane/phone","lat":51.5072,"lon":-0.1276,"acc":10,"alt":35,"tst":1795176001}""";

  public static final String OPENSCHEMA =
      """
      {"metricName":"openschemaCellularSession","metricsList":[{"first":"carrierName","second":"O2"},{"first":"isoCountryCode","second":"gb"},{"first":"networkType","second":"4G"},{"first":"mobileNetworkCode","second":"10"},{"first":"mobileCountryCode","second":"234"},{"first":"cellId","second":"20911362"},{"first":"latitude","second":"51.5072"},{"first":"longitude","second":"-0.1276"},{"first":"sessionStartTime","second":"1795176001001"},{"first":"sessionDurationMillis","second":"600000"},{"first":"rxBytes","second":"40960"},{"first":"txBytes","second":"8192"}],"identifier":{"uuid":"6f1e7c1e-2f0b-4c51-9f0a-0d4cf5d2a111","clientType":"android"},"timestamp":{"timestamp":1795176601001,"offsetMinutes":0}}""";

  public static final String GEOJSON =
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[-0.1276,51.5072,35.2]},"properties":{"user":"7","accuracy":12.5,"timestamp":"2026-11-20T12:00:01Z"}}""";

  public static final String JSON_POSITION =
      """
      {"user":"7","position":{"lon":-0.1276,"lat":51.5072,"accuracy":12.5,"altitude":-3.5,"source":"network"},"ts":1795176001001}""";

  private Messages() {}

  /** A position of MLP with that shape and no cell. */
  public static String mlpShape(String shape) {
    return "<pos><msid>7</msid><pd><time>20261120120001</time><shape>"
        + shape
        + "</shape></pd></pos>";
  }

  public static LocationRecord record(
      String user, String cell, @Nullable Radio radio, String time) {
    return new LocationRecord(user, CellId.parse(cell), radio, Instant.parse(time).toEpochMilli());
  }

  public static String arcanumEvents(String... events) {
    return "<events>" + String.join("", events) + "</events>";
  }

  public static String mlp(String... positions) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><svc_result ver=\"3.4.0\"><slia ver=\"3.4.0\">"
        + String.join("", positions)
        + "<result resid=\"0\">OK</result></slia></svc_result>";
  }

  public static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  public static byte[] gzip(byte[]... members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (byte[] member : members) {
        GZIPOutputStream gzip = new GZIPOutputStream(bytes);
        gzip.write(member);
        gzip.finish();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
