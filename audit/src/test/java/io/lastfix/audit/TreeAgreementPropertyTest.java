package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.JobDecoder.Decoded;
import io.lastfix.audit.tree.TreeReader;
import io.lastfix.audit.tree.TreeReading;
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

  @Property(tries = 500)
  void bothReadTheSameJson(
      @ForAll @Size(min = 1, max = 4) List<@From("jsonObjects") String> objects,
      @ForAll boolean inAnArray,
      @ForAll("places") int mutation) {
    String message = inAnArray ? "[" + String.join(",", objects) + "]" : String.join("\n", objects);
    assertAgree(Messages.profile("json"), mutated(message, mutation));
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
      assertThat(TreeReader.of(profile, 1_000_000, 64, 10_000).read(bytes))
          .as(message)
          .isEqualTo(new TreeReading(decoded.records(), List.of()));
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
                        + "<cell><radio>%s</radio><mcc>%s</mcc><mnc>%s</mnc><lac>%s</lac><cid>%s</cid></cell>"
                        + "<timestamp> %s</timestamp><cause>x</cause></event>\n")
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
                            .formatted(cell[0], cell[1], cell[2], cell[3]));
    return Combinators.combine(
            types,
            types,
            xmlTexts(),
            cells,
            Arbitraries.of(
                "", " utc_off=\"+0100\"", " utc_off='0530'", " utc_off=\"-02:00\"", " utc_off='z'"))
        .as(
            (type, otherType, user, cell, offset) ->
                "<pos xmlns:a=\"urn:a\"><msid%s>%s</msid><msid%s>2</msid><pd><time%s>20240229235959</time></pd>%s</pos>"
                    .formatted(type, user, otherType, offset, cell));
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
                "{\"other\":[1.50,true,{}],\"user\":%s,\"cell\":%s,\"ts\":%s}"
                    .formatted(user, cell, isText ? text : Long.toString(millis)));
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
            Arbitraries.of("", "4021", "16777215"),
            Arbitraries.of("0", "20911362", "68719476735"))
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
