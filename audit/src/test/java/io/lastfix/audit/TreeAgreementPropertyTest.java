package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.JobDecoder.Decoded;
import io.lastfix.audit.tree.TreeReader;
import io.lastfix.audit.tree.TreeReader.TreeReading;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/**
 * The tree reader reads all that the job's decoder accepts without a rejection, as the same
 * records. Otherwise an audit would report a discrepancy of a correct job.
 */
class TreeAgreementPropertyTest {
  private static final String TEXT_OF_ALL_KINDS =
      """
      format: json
      record: report/records
      user: [id/device, id/line]
      cell:
        text: cell
        radio: radio
      timestamp:
        - {path: ts, format: epoch-seconds}
        - {path: local, format: dd.MM.yyyy HH:mm, offset: zone}
      """;

  private static final String FORM_WITH_A_CELL =
      """
      format: form
      user: id
      cell:
        - {mcc: mcc, mnc: mnc, area: area, cid: cid, radio: radio}
        - {text: cell}
      position: {lon: x, lat: y, default-source: gnss}
      timestamp: {path: ts, format: epoch-millis}
      """;

  @Property(tries = 500)
  void bothReadTheSameArcanum(
      @ForAll @Size(min = 1, max = 4) List<@From("arcanumEvents") String> events,
      @ForAll("places") int mutation) {
    assertAgree(
        Messages.profile("arcanum"),
        mutated("<events>" + String.join("", events) + "</events>", mutation));
  }

  @Property(tries = 500)
  void bothReadTheSameMlp(
      @ForAll @Size(min = 1, max = 4) List<@From("mlpPositions") String> positions,
      @ForAll("places") int mutation) {
    assertAgree(
        Messages.profile("mlp"),
        mutated("<slia>" + String.join("\n", positions) + "</slia>", mutation));
  }

  /** A record with a cell stays if its position cannot be read, so each text is compared. */
  @Property(tries = 1_000)
  void bothReadTheSameAnglesOfMlp(@ForAll("angles") String x, @ForAll("angles") String y) {
    assertAgree(
        Messages.profile("mlp"),
        "<slia>%s</slia>"
            .formatted(
                "<pos><msid>7</msid><pd><time>20240229235959</time><shape><Point><coord><X>"
                    + x
                    + "</X><Y>"
                    + y
                    + "</Y></coord></Point></shape></pd><gsm_net_param><cgi><mcc>1</mcc><mnc>2</mnc>"
                    + "<lac>3</lac><cellid>4</cellid></cgi></gsm_net_param></pos>"));
  }

  @Property(tries = 500)
  void bothReadTheSameJson(
      @ForAll @Size(min = 1, max = 4) List<@From("jsonObjects") String> objects,
      @ForAll boolean inAnArray,
      @ForAll("places") int mutation) {
    String message = inAnArray ? "[" + String.join(",", objects) + "]" : String.join("\n", objects);
    assertAgree(Messages.profile("json"), mutated(message, mutation));
  }

  /** Fields of a position that the job cannot read: too long, or no text where one is expected. */
  @Property(tries = 500)
  void bothReadTheSameOfDamagedPositions(
      @ForAll("damagedNumbers") String lat,
      @ForAll("damagedNumbers") String accuracy,
      @ForAll("damagedNumbers") String altitude,
      @ForAll("damagedSources") String source) {
    assertAgree(
        Messages.profile("json"),
        ("{\"user\":\"d\",\"cell\":\"1-2-3-4\",\"ts\":1795176001001,\"position\":{\"lon\":1,"
                + "\"lat\":%s,\"accuracy\":%s,\"altitude\":%s,\"source\":%s}}")
            .formatted(lat, accuracy, altitude, source));
  }

  @Provide
  static Arbitrary<String> damagedNumbers() {
    String zeros = "0".repeat(300);
    return Arbitraries.of(
        "2",
        "2.5",
        "\"2\"",
        "\"" + zeros + "1\"",
        "\"-" + "9".repeat(300) + "\"",
        "-" + "9".repeat(300),
        "0." + zeros + "1",
        "\"3" + " ".repeat(300) + "\"");
  }

  @Provide
  static Arbitrary<String> damagedSources() {
    return Arbitraries.of(
        "\"gnss\"",
        "\"cell\"",
        "1.5",
        "1E-3",
        "1e1",
        "7",
        "true",
        "[\"network\"]",
        "{}",
        "\"" + "g".repeat(300) + "\"",
        "\"cell" + " ".repeat(300) + "\"");
  }

  @Property(tries = 100)
  void bothReadTheSameOfDamagedMlp(
      @ForAll("damagedTexts") String altitude, @ForAll("damagedTexts") String confidence) {
    assertAgree(
        Messages.profile("mlp"),
        ("<slia><pos><msid>7</msid><pd><time>20240229235959</time><shape><CircularArea><coord><X>51"
                + "</X><Y>1</Y></coord><radius>500</radius></CircularArea></shape><alt>%s</alt>"
                + "<lev_conf>%s</lev_conf></pd></pos></slia>")
            .formatted(altitude, confidence));
  }

  @Provide
  static Arbitrary<String> damagedTexts() {
    return Arbitraries.of("67", "0.67", "0".repeat(300) + "67", "6<b/>7", "67" + " ".repeat(300));
  }

  @Property(tries = 100)
  void bothReadTheSameOfADamagedFlag(@ForAll("damagedFlags") String valid) {
    assertAgree(
        Messages.profile("osmand"),
        "id=7&timestamp=1795176001&lat=51&lon=1&altitude=3&valid=" + valid + "&x=1");
  }

  @Provide
  static Arbitrary<String> damagedFlags() {
    return Arbitraries.of("true", "false", "false" + "+".repeat(300), "f".repeat(300), "");
  }

  @Property(tries = 500)
  void bothReadTheSameGeoJson(
      @ForAll("coordinates") String coordinates,
      @ForAll("numbers") String accuracy,
      @ForAll("sources") String source,
      @ForAll("places") int mutation) {
    assertAgree(
        Messages.profile("geojson"),
        mutated(
            ("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":%s},"
                    + "\"properties\":{\"user\":\"u\",\"time\":1795176001.5,\"accuracy\":%s,"
                    + "\"altitude\":7%s}}")
                .formatted(coordinates, accuracy, source),
            mutation));
  }

  /** Batches: what is inside and what surrounds the array, and members that both have. */
  @Property(tries = 1_000)
  void bothReadTheSameBatch(
      @ForAll @Size(max = 3) List<@From("batchMembers") String> members,
      @ForAll("batchNames") String name,
      @ForAll("surroundings") String before,
      @ForAll("surroundings") String after,
      @ForAll("places") int mutation) {
    assertAgree(
        Messages.profile("osmand"),
        mutated(
            "{%s\"%s\":[%s]%s}"
                .formatted(
                    before.isEmpty() ? "" : before.substring(1) + ",",
                    name,
                    String.join(",", members),
                    after),
            mutation));
  }

  @Provide
  static Arbitrary<String> batchNames() {
    return Arbitraries.of("location", "locations");
  }

  @Provide
  static Arbitrary<String> surroundings() {
    return Arbitraries.of(
        "",
        ",\"device_id\":\"d\"",
        ",\"id\":\"e\"",
        ",\"id\":null",
        ",\"timestamp\":1795176001",
        ",\"lat\":1,\"lon\":2,\"valid\":0",
        ",\"locations\":[]",
        ",\"x\":[{}]");
  }

  @Provide
  Arbitrary<String> batchMembers() {
    String position =
        "{\"timestamp\":\"2026-11-20T12:00:01Z\",\"coords\":{\"latitude\":%s,\"longitude\":-0.1}%s}";
    Arbitrary<String> more =
        Arbitraries.of(
            "",
            ",\"id\":\"f\"",
            ",\"id\":\" \"",
            ",\"device_id\":\"g\"",
            ",\"device_id\":null",
            ",\"lat\":3",
            ",\"x\":{}");
    Arbitrary<String> forms =
        Arbitraries.of("%1$s", "%1$s", "{\"location\":%1$s}", "{\"location\":%1$s%2$s}", "[%1$s]");
    return Combinators.combine(numbers(), more, more, forms)
        .as((lat, inner, outer, form) -> form.formatted(position.formatted(lat, inner), outer));
  }

  @Property(tries = 300)
  void bothReadTheSameOfTimesByTheirSize(@ForAll("times") String time) {
    assertAgree(
        Messages.profile("osmand"), "id=7&lat=51&lon=1&x=1&timestamp=" + time + "&altitude=3");
  }

  @Provide
  static Arbitrary<String> times() {
    Arbitrary<String> whole =
        Arbitraries.of(
            "1795176001",
            "1795176001000",
            "99999999999",
            "100000000000",
            "979776001000",
            "0".repeat(12) + "1795176001",
            "1795176001e0");
    return Combinators.combine(
            whole, Arbitraries.of("", ".0", ".9999", ".000000000", ".0000000000"))
        .as((number, fraction) -> number + fraction);
  }

  @Property(tries = 500)
  void bothReadTheSameQueryString(
      @ForAll("numbers") String lon,
      @ForAll("numbers") String lat,
      @ForAll("numbers") String accuracy,
      @ForAll("formEnds") String end,
      @ForAll("places") int mutation) {
    String message =
        "é=1&id=a%20b+c&lon=" + lon + "&lat=" + lat + "&accuracy=" + accuracy + "&x=1&" + end;
    assertAgree(Messages.profile("osmand"), mutated(message.replace("\"", "%22"), mutation));
  }

  @Property(tries = 300)
  void bothReadTheSameQueryStringWithACell(
      @ForAll("numbers") String lon, @ForAll("formCells") String cell) throws IOException {
    Profile own =
        ProfileLoader.read(
            "own", "own.yaml", new ByteArrayInputStream(FORM_WITH_A_CELL.getBytes(UTF_8)));
    assertAgree(
        own, "id=7&ts=1795176001001&x=" + lon.replace("\"", "%22") + "&y=5&" + cell + "&z=1");
  }

  @Property(tries = 300)
  void bothReadTheSameOfOwnTracks(
      @ForAll("numbers") String lon,
      @ForAll("numbers") String lat,
      @ForAll("numbers") String accuracy,
      @ForAll("places") int mutation) {
    assertAgree(
        Messages.profile("owntracks"),
        mutated(
            "{\"_type\":\"location\",\"topic\":\"a/b/c\",\"lon\":%s,\"lat\":%s,\"acc\":%s,\"tst\":1795176001}"
                .formatted(lon, lat, accuracy),
            mutation));
  }

  @Property(tries = 1_000)
  void bothReadTheSameOfAListOfPairs(
      @ForAll("numbers") String lon,
      @ForAll @Size(max = 3) List<@From("pairs") String> pairs,
      @ForAll("places") int mutation) {
    assertAgree(
        Messages.profile("openschema"),
        mutated(
            ("{\"metricName\":\"openschemaWifiSession\",\"metricsList\":["
                    + "{\"first\":\"longitude\",\"second\":%s},"
                    + "{\"second\":\"51.5\",\"first\":\"latitude\",\"third\":[{}]}%s],"
                    + "\"identifier\":{\"uuid\":\"u\"},\"timestamp\":{\"timestamp\":1795176001001}}")
                .formatted(lon, String.join("", pairs)),
            mutation));
  }

  @Provide
  static Arbitrary<String> pairs() {
    Arbitrary<String> names =
        Arbitraries.of(
            "\"cellId\"",
            "\"mobileCountryCode\"",
            "\"mobileNetworkCode\"",
            "\"sessionStartTime\"",
            "\"longitude\"",
            "\"ssid\"",
            "7",
            "[\"cellId\"]",
            "null");
    Arbitrary<String> values =
        Arbitraries.of(
            "\"234\"",
            "\" 15 \"",
            "\"\"",
            "7",
            "7.5",
            "true",
            "null",
            "[7]",
            "{\"first\":\"cellId\"}");
    Arbitrary<String> forms =
        Arbitraries.of(
            ",{\"first\":%1$s,\"second\":%2$s}",
            ",{\"second\":%2$s,\"first\":%1$s}",
            ",{\"first\":%1$s}",
            ",{\"first\":\"cellId\",\"first\":%1$s,\"second\":1,\"second\":%2$s}",
            ",[{\"first\":%1$s,\"second\":%2$s}],7");
    return Combinators.combine(forms, names, values)
        .as((form, name, value) -> form.formatted(name, value));
  }

  @Property(tries = 500)
  void bothReadTheSameByAProfileOfOnesOwn(
      @ForAll @Size(min = 1, max = 4) List<@From("ownObjects") String> objects) throws IOException {
    Profile own =
        ProfileLoader.read(
            "own", "own.yaml", new ByteArrayInputStream(TEXT_OF_ALL_KINDS.getBytes(UTF_8)));
    assertAgree(own, "{\"report\":{\"records\":[" + String.join(",", objects) + "]}}");
  }

  /**
   * If the decoder accepted the whole message, both read the same records; other messages do not
   * count.
   */
  private static void assertAgree(Profile profile, String message) {
    byte[] bytes = message.getBytes(UTF_8);
    Decoded decoded = new JobDecoder(profile, Messages.LIMITS).decode(bytes);
    boolean isWhole = decoded.rejections().isEmpty();
    Statistics.label("taken whole").collect(isWhole);
    if (isWhole) {
      assertThat(TreeReader.of(profile, Messages.LIMITS.decoder()).read(bytes))
          .as(message)
          .isEqualTo(new TreeReading(decoded.records(), List.of(), decoded.notRecords()));
    }
  }

  /** Removes the character at that index, or none. */
  private static String mutated(String message, int place) {
    if (place >= message.length()) {
      return message;
    }
    return message.substring(0, place) + message.substring(place + 1);
  }

  @Provide
  Arbitrary<Integer> places() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.just(Integer.MAX_VALUE)),
        Tuple.of(1, Arbitraries.integers().between(0, 400)));
  }

  @Provide
  Arbitrary<String> arcanumEvents() {
    return Combinators.combine(
            xmlTexts(), cells(), Arbitraries.of("", "LTE", " nr ", "4G"), moments())
        .as(
            (user, cell, radio, ts) ->
                ("<event id=\"e\"><subscriber><imei>%s</imei><imsi>%s</imsi></subscriber>"
                        + "<cell><radio>%s</radio><mcc>%s</mcc><mnc>%s</mnc><lac>%s</lac><cid>%s</cid></cell><timestamp>"
                        + " %s</timestamp><cause>x</cause></event>\n")
                    .formatted(user, "7", radio, cell[0], cell[1], cell[2], cell[3], ts));
  }

  @Provide
  Arbitrary<String> mlpPositions() {
    Arbitrary<String> types =
        Arbitraries.of("", " type=\"IMSI\"", " type='MSISDN '", " type=\"X\"", " a:type=\"IMEI\"");
    Arbitrary<String> cells =
        cells()
            .map(
                cell ->
                    cell[2].isEmpty()
                        ? "<serving_cell><mcc>%s</mcc><mnc>%s</mnc><lte_ci>%s</lte_ci></serving_cell>"
                            .formatted(cell[0], cell[1], cell[3])
                        : "<gsm_net_param><imsi>9</imsi><cgi><mcc>%s</mcc><mnc>%s</mnc><lac>%s</lac><cellid>%s</cellid></cgi></gsm_net_param>"
                            .formatted(cell[0], cell[1], cell[2], cell[3]))
            .flatMap(
                cell ->
                    Arbitraries.frequencyOf(
                        Tuple.of(4, Arbitraries.just(cell)),
                        Tuple.of(1, Arbitraries.of(unreadableMlpCells(cell)))));
    return Combinators.combine(
            types,
            types,
            xmlTexts(),
            cells,
            Arbitraries.of(
                "", " utc_off=\"+0100\"", " utc_off='0530'", " utc_off=\"-02:00\"", " utc_off='z'"))
        .as(
            (type, otherType, user, cell, offset) ->
                "<pos xmlns:a=\"urn:a\"><msid%s>%s</msid><msid%s>2</msid><pd><time%s>20240229235959</time>@</pd>%s</pos>"
                    .formatted(type, user, otherType, offset, cell))
        .flatMap(position -> shapes().map(shape -> position.replace("@", shape)));
  }

  /** The cell with something in it, twice, too long, or beside another cell. */
  private static List<String> unreadableMlpCells(String cell) {
    return List.of(
        cell.replace("</mcc>", "<x/></mcc>"),
        cell.replace("<mcc>", "<mcc>" + "0".repeat(254)),
        cell.replace("</mnc>", "</mnc><mnc>1</mnc>"),
        cell.replace("<cgi>", "<cgi><lac>7</lac></cgi><cgi>"),
        cell.replace("<cgi>", "<cgi>x"),
        cell + "<serving_cell><lte_ci>7<!-- 8 --></lte_ci></serving_cell>",
        cell + "<serving_cell><lte_ci><b>7</b></lte_ci></serving_cell>",
        cell + "<serving_cell><mcc> </mcc></serving_cell>",
        cell + "<serving_cell/><serving_cell/>");
  }

  /** What stands in a {@code pd} beside its time. */
  private static Arbitrary<String> shapes() {
    Arbitrary<String> coords =
        Arbitraries.of(
            "<coord><X>51.5</X><Y>-0.125</Y></coord>",
            "<coord><Y>000 07 30.5W</Y><X>51 30 00.000N</X></coord>",
            "<coord><X>0</X><Y>0</Y></coord>",
            "<coord><X>91</X><Y>0</Y></coord>",
            "<coord><X>51.5</X></coord>",
            "<coord><X>51.5</X><X>51.5</X><Y>1</Y></coord>",
            "<coord><X>5<b/>1.5</X><Y>1</Y></coord>",
            "<b:coord><b:X>301628.312n</b:X><b:Y>1221533.431W</b:Y></b:coord>",
            "<coord><X> 30\n 27 45.3 </X><Y>5<!-- -->1<![CDATA[.5]]></Y></coord>",
            "<coord><X>1." + "0".repeat(63) + "</X><Y>1</Y></coord>",
            "<coord><coord><X>1</X><Y>1</Y></coord><X>1</X><Y>1.00001</Y></coord>");
    Arbitrary<String> forms =
        Arbitraries.of(
            "",
            "<shape/>",
            "<shape><Point srsName=\"www.epsg.org#4326\">@</Point></shape>",
            "<shape><Point srsName=\"EPSG:3857\">@</Point></shape>",
            "<shape><CircularArea>@<radius>120.5</radius></CircularArea></shape><lev_conf>68</lev_conf>",
            "<shape><CircularArea>@<radius>120.5</radius></CircularArea></shape><lev_conf>0.68</lev_conf>",
            "<shape><CircularArea>@<radius>9</radius></CircularArea></shape><lev_conf>1</lev_conf>",
            "<shape><CircularArea>@<radius>9</radius></CircularArea></shape><lev_conf>1.0</lev_conf>",
            "<shape><CircularArea>@<radius>9</radius></CircularArea></shape><lev_conf>99</lev_conf>",
            "<shape><CircularArea>@<radius>9</radius></CircularArea></shape><lev_conf>67"
                + " %</lev_conf>",
            "<shape><Point>@</Point></shape><shape><Point>@</Point></shape>",
            "<shape><LineString>@@</LineString></shape>",
            "<shape><b><Point>@</Point></b><coord><Point>@</Point></coord></shape>",
            "<shape><Point>@</Point><Point>@</Point></shape>",
            "<shape><MultiPoint><Point>@</Point><Point>@</Point></MultiPoint></shape>",
            "<shape><MultiPolygon><b/></MultiPolygon></shape>",
            "<shape><Box>@<coord><X>51.6</X><Y>0.1</Y></coord></Box></shape>",
            "<shape><Box>@@@</Box></shape>",
            "<shape><Polygon><innerBoundaryIs>@<coord><X>51.6</X><Y>0.1</Y></coord>"
                + "<coord><X>51.4</X><Y>0.2</Y></coord>@</innerBoundaryIs></Polygon></shape>",
            "<shape><CircularArea>@<radius>1.5</radius><distanceUnit> Km </distanceUnit>"
                + "</CircularArea></shape>",
            "<shape><CircularArea>@<radius>1</radius><distanceUnit>mile</distanceUnit>"
                + "</CircularArea></shape>",
            "<shape><CircularArea>@<radius>1000001</radius></CircularArea></shape>",
            "<shape><CircularArcArea>@<inRadius>9</inRadius><outRadius>9</outRadius>"
                + "<startAngle>-1</startAngle><stopAngle>2</stopAngle>"
                + "<angularUnit>rad</angularUnit></CircularArcArea></shape>",
            "<shape><CircularArea>@<radius>x</radius></CircularArea></shape><alt>12</alt>",
            "<shape><EllipticalArea>@<angle>30</angle><semiMajor>90</semiMajor>"
                + "<semiMinor>20</semiMinor></EllipticalArea></shape><alt>-3.5</alt>",
            "<shape><CircularArcArea>@<inRadius>100</inRadius><outRadius>900</outRadius>"
                + "<startAngle>10</startAngle><stopAngle>120</stopAngle></CircularArcArea></shape>",
            "<shape><a:Polygon><outerBoundaryIs><LinearRing>@<coord><X>51.6</X><Y>0.1</Y></coord>"
                + "<coord><X>51.4</X><Y>0.2</Y></coord></LinearRing></outerBoundaryIs></a:Polygon></shape>");
    return Combinators.combine(forms, coords).as((form, coord) -> form.replace("@", coord));
  }

  @Provide
  Arbitrary<String> angles() {
    Arbitrary<String> any =
        Arbitraries.strings().withChars("0123456789.NSEWnw+-' \u00b0").ofMaxLength(12);
    Arbitrary<String> forms =
        Combinators.combine(
                Arbitraries.of("", "-", "+", " "),
                Arbitraries.of(
                    "%s", "%s 5", "%s 59 59.99999", "%s0712.5", "%s\u00b007'05.25\"", "%s.125"),
                Arbitraries.integers().between(0, 180),
                Arbitraries.of("", "", "N", "S", "e", " W"))
            .as((sign, form, degrees, letter) -> sign + form.formatted(degrees) + letter);
    return Arbitraries.frequencyOf(Tuple.of(1, any), Tuple.of(3, forms));
  }

  @Provide
  Arbitrary<String> jsonObjects() {
    Arbitrary<String> cells =
        Combinators.combine(cells(), Arbitraries.of(0, 1, 2))
            .as(
                (cell, form) ->
                    switch (form) {
                      case 0 -> "\"%s-%s-%s-%s\"".formatted((Object[]) cell);
                      case 1 ->
                          "{\"mcc\":\"%s\",\"mnc\":\"%s\",\"area\":\"%s\",\"cid\":\"%s\"}"
                              .formatted((Object[]) cell);
                      default ->
                          "{\"cid\":%s,\"radio\":null,\"mnc\":%s,\"mcc\":%s,\"x\":{\"mcc\":[]}}"
                              .formatted(cell[3], cell[1], cell[0])
                              .replaceAll(":0+(\\d)", ":$1");
                    });
    return Combinators.combine(
            jsonTexts(),
            cells,
            moments().map(ts -> "\"" + ts + "\""),
            Arbitraries.longs().between(946_684_800_000L, 4_102_444_800_000L),
            Arbitraries.of(true, false))
        .as(
            (user, cell, text, millis, isText) ->
                "{\"other\":[1.50,true,{}],\"user\":%s,\"cell\":%s,\"ts\":%s@}"
                    .formatted(user, cell, isText ? text : Long.toString(millis)))
        .flatMap(object -> jsonPositions().map(position -> object.replace("@", position)))
        .flatMap(
            object ->
                Arbitraries.frequencyOf(
                    Tuple.of(2, Arbitraries.just(object)),
                    Tuple.of(1, Arbitraries.just(object.replace("\"cell\"", "\"noCell\""))),
                    Tuple.of(
                        1,
                        unreadableJsonCells()
                            .map(
                                cell ->
                                    object.replace(
                                        "\"other\"", "\"cell\":" + cell + ",\"other\""))),
                    Tuple.of(
                        1,
                        unreadableJsonCells()
                            .map(
                                cell ->
                                    object
                                        .replace("\"cell\"", "\"noCell\"")
                                        .replace(
                                            "\"other\"", "\"cell\":" + cell + ",\"other\"")))));
  }

  private static Arbitrary<String> unreadableJsonCells() {
    return Arbitraries.of(
        "{\"mcc\":234,\"mnc\":10,\"cid\":20911362.0}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":2e3}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":true}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":[7]}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":{\"x\":7}}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":null}",
        "{\"mcc\":234,\"mcc\":234,\"mnc\":10,\"cid\":7}",
        "{\"mcc\":\"" + "0".repeat(254) + "234\",\"mnc\":10,\"cid\":7}",
        "{\"mcc\":\"" + " ".repeat(254) + "234\",\"mnc\":10,\"cid\":7}",
        "{\"mcc\":\"234" + " ".repeat(254) + "\",\"mnc\":10,\"cid\":7}",
        "{\"mcc\":false}",
        "{\"radio\":1.5}",
        "[{\"mcc\":234,\"mnc\":10,\"cid\":7}]",
        "\"" + "7".repeat(257) + "\"",
        "\"234-10--7\",\"radio\":true",
        "{\"mcc\":234,\"mnc\":10,\"cid\":7},\"radio\":[]",
        "{\"mcc\":234,\"mnc\":10,\"cid\":7},\"radio\":null",
        "true",
        "7",
        "7.5",
        "null",
        "{}");
  }

  private Arbitrary<String> jsonPositions() {
    return Combinators.combine(
            numbers(), numbers(), numbers(), sources(), Arbitraries.of(true, false))
        .as(
            (lon, lat, accuracy, source, isGiven) ->
                isGiven
                    ? ",\"position\":{\"lon\":%s,\"lat\":%s,\"accuracy\":%s,\"altitude\":%s%s}"
                        .formatted(lon, lat, accuracy, lat, source)
                    : "");
  }

  /** Numbers of JSON, some as texts, and what is none. */
  @Provide
  Arbitrary<String> numbers() {
    return Arbitraries.of(
        "0",
        "0.0",
        "-0",
        "-0.0",
        "12",
        "-12.5",
        "37.7749295000000012",
        "1.25e1",
        "-1E-5",
        "90",
        "90.0000001",
        "-180",
        "181",
        "1e400",
        "\"5\"",
        "\" 5.5 \"",
        "\".5\"",
        "\"5.\"",
        "\"+5\"",
        "\"0x5\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"1,5\"",
        "\"\"");
  }

  @Provide
  Arbitrary<String> sources() {
    return Arbitraries.of(
        "",
        ",\"source\":\"gnss\"",
        ",\"source\":\"Network\"",
        ",\"source\":\"wifi\"",
        ",\"source\":\"cell\"",
        ",\"source\":true",
        ",\"source\":\"gnss\",\"source\":\"gnss\"",
        ",\"accuracy\":3",
        ",\"lon\":3",
        ",\"source\":7",
        ",\"source\":null");
  }

  @Provide
  Arbitrary<String> coordinates() {
    return Arbitraries.of(
        "[-122.4,37.75]",
        "[-122.4,37.75,12.5]",
        "[-122.4,37.75,12.5,3]",
        "[-122.4,37.75,\"x\"]",
        "[0,0]",
        "[-122.4]",
        "[]",
        "[[1,2],[3,4]]",
        "[null,37.75]",
        "[\"1\",2]",
        "5",
        "{\"0\":1,\"1\":2}",
        "null");
  }

  @Provide
  Arbitrary<String> formEnds() {
    return Arbitraries.of(
        "timestamp=1795176001",
        "timestamp=1795176001001",
        "timestamp=1795176001.5\n",
        "timestamp=2026-11-20T12:00:01Z",
        "timestamp=2026-11-20+12:00:01",
        "timestamp=2026-11-20+12:00:01.5%2B01",
        "accuracy=2&timestamp=1795176001",
        "timestamp=2026-11-20T12%3A00%3A01%2B01:00",
        "valid=false&timestamp=1795176001",
        "valid=TRUE&timestamp=1795176001",
        "timestamp=1795176001&é=ä",
        "x=%C3&timestamp=1795176001",
        "deviceid=é&timestamp=1795176001",
        "deviceid=%C3&timestamp=1795176001",
        "altitude=12.5&timestamp=1795176001&timestamp=7",
        "altitude=x&timestamp=99999999999");
  }

  @Provide
  Arbitrary<String> formCells() {
    return Arbitraries.of(
        "mcc=234&mnc=10&cid=7",
        "mcc=234&mnc=10&cid=7&cid=7",
        "mcc=234&mnc=10&cid=7&cid=",
        "mcc=234&mnc=10&cid=7.0",
        "mcc=" + "0".repeat(254) + "234&mnc=10&cid=7",
        "mcc=234" + "+".repeat(254) + "&mnc=10&cid=7",
        "mcc=" + "+".repeat(254) + "234&mnc=10&cid=7",
        "mcc=234&mnc=10&cid=7&cell=" + "7".repeat(257),
        "mcc=1&mcc=2",
        "cell=234-10--7",
        "cell=234-10--7&cell=234-10--7",
        "cell=234-10--7&radio=LTE",
        "cell=x");
  }

  @Provide
  Arbitrary<String> ownObjects() {
    Arbitrary<String> times =
        Arbitraries.of(
            "\"ts\":1795176001.5",
            "\"ts\":\"1795176001.0019\"",
            "\"ts\":1795176001",
            "\"ts\":null,\"local\":\"29.02.2024 23:59\",\"zone\":\"-0330\"",
            "\"local\":\"20.11.2026 00:00\"");
    return Combinators.combine(jsonTexts(), cells(), times)
        .as(
            (user, cell, time) ->
                "{\"id\":{\"device\":%s,\"line\":\"7\"},\"cell\":\"%s-%s-%s-%s\",%s}"
                    .formatted(user, cell[0], cell[1], cell[2], cell[3], time));
  }

  /** mcc, mnc, area (possibly empty) and cid. */
  private static Arbitrary<String[]> cells() {
    return Combinators.combine(
            Arbitraries.of("234", "007", "0"),
            Arbitraries.of("10", "1", "001"),
            Arbitraries.of("", "4021", "16777215", "2147483647"),
            Arbitraries.of("0", "20911362", "68719476735", "68719476736"))
        .as((mcc, mnc, area, cid) -> new String[] {mcc, mnc, area, cid});
  }

  private static Arbitrary<String> moments() {
    Arbitrary<String> days = Arbitraries.of("2026-11-20", "2024-02-29", "2000-01-01");
    Arbitrary<String> times =
        Arbitraries.of("00:00", "23:59:59", "12:00:01.001", "12:00:01.5", "12:00:01.123456789");
    Arbitrary<String> offsets = Arbitraries.of("Z", "z", "+01", "-0330", "+05:45", "-18:00");
    return Combinators.combine(days, Arbitraries.of("T", "t"), times, offsets)
        .as((day, separator, time, offset) -> day + separator + time + offset)
        .filter(ts -> !ts.startsWith("2000"));
  }

  private static Arbitrary<String> xmlTexts() {
    return Arbitraries.of(
        "350000000007919",
        "",
        "  ",
        " a b\n",
        "\u00fc\ud83d\ude00",
        "1<!-- 2 -->3",
        "<![CDATA[<x>]]>",
        " <![CDATA[ y ]]> ",
        "&amp;&#65;",
        "<?target data?>9",
        "\u00a0\u2003");
  }

  private static Arbitrary<String> jsonTexts() {
    return Arbitraries.of(
        "\"350000000007919\"",
        "350000000007919",
        "-0",
        "123456789012345678901234567890",
        "\" a b \"",
        "\"\u00fc\\ud83d\\ude00\"",
        "\"\\u0041\"",
        "\"\u00a0\"");
  }
}
