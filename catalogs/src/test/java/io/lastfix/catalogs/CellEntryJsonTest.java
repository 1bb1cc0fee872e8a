package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.RejectionReason;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellEntryJsonTest {
  private static final String KEY = "311-480-9728-9903886";
  private static final String JSON =
      "{\"cell\":\"311-480-9728-9903886\",\"towers\":[{\"radio\":\"LTE\",\"versions\":[{\"from\":"
          + "\"2017-04-03T18:02:39Z\",\"lon\":-122.393744,\"lat\":37.788097}]}]}";
  private static final CellEntry ENTRY = entryFrom(1_491_242_559_000L);

  private static CellEntry entryFrom(long validFromMillis) {
    return new CellEntry(
        CellId.parse(KEY),
        List.of(
            new Tower(
                Radio.LTE,
                List.of(new CellVersion(validFromMillis, new Position(-122.393744, 37.788097))))));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  private static CellEntry read(@Nullable String key, @Nullable String value)
      throws CellEntryException {
    return CellEntryJson.read(bytes(key), bytes(value), Revision.OLDEST);
  }

  @Test
  void anEntryIsWrittenAsDocumented() {
    assertThat(CellEntryJson.key(ENTRY)).asString(UTF_8).isEqualTo(KEY);
    assertThat(CellEntryJson.value(ENTRY)).asString(UTF_8).isEqualTo(JSON);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        JSON,
        "{\"cell\":\"311-480-9728-9903886\",\"radio\":\"LTE\",\"lon\":-122.393744,\"lat\":37.788097,"
            + "\"from\":1491242559000}",
        "{\"extra\":[{}],\"lat\":37.788097,\"lon\":-122.393744,\"from\":\"2017-04-03T18:02:39Z\","
            + "\"radio\":\"lte\",\"cell\":\"311-480-9728-9903886\",\"range\":null}",
      })
  void everyFormOfAnEntryIsRead(String json) throws Exception {
    assertThat(read(KEY, json)).isEqualTo(ENTRY);
    assertThat(read(null, json)).isEqualTo(ENTRY);
  }

  @Test
  void aRevisionIsWrittenAndReadAndOtherwiseTheMessagesTimeIsIt() throws Exception {
    CellEntry revised = ENTRY.withRevision(new Revision(5, 7, 1));
    String json = JSON.replace("\"towers\"", "\"revision\":5,\"towers\"");
    Revision message = new Revision(1_795_176_000_000L, 7, 1);

    assertThat(CellEntryJson.value(revised)).asString(UTF_8).isEqualTo(json);
    assertThat(CellEntryJson.read(null, bytes(json), message)).isEqualTo(revised);
    assertThat(CellEntryJson.read(null, bytes(JSON), message).revision()).isEqualTo(message);
    assertThat(CellEntryJson.read(bytes(KEY), null, message).revision()).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1.5", "\"5\"", "null", "253402300800000", "1e3"})
  void aRevisionIsAWholeNumberUpToTheYear9999(String revision) {
    assertThatThrownBy(
            () -> read(null, "{\"cell\":\"1-2-3-4\",\"towers\":[],\"revision\":" + revision + "}"))
        .hasMessage("/revision: expected a whole number from 0 to 253402300799999");
  }

  @Test
  void aRevisionMayBeADayAheadOfTheMessageAndNoFurther() throws Exception {
    long time = 1_795_176_000_000L;
    Revision message = new Revision(time, 7, 1);
    String json = "{\"cell\":\"1-2-3-4\",\"towers\":[],\"revision\":%d}";

    assertThat(
            CellEntryJson.read(null, bytes(json.formatted(time + 86_400_000)), message)
                .revision()
                .number())
        .isEqualTo(time + 86_400_000);
    assertThatThrownBy(
            () -> CellEntryJson.read(null, bytes(json.formatted(time + 86_400_001)), message))
        .isInstanceOf(CellEntryException.class)
        .hasMessage("/revision: expected at most a day after the message's timestamp in Kafka");
    assertThat(
            CellEntryJson.read(null, bytes(json.formatted(Revision.MAX_NUMBER)), Revision.OLDEST)
                .revision()
                .number())
        .as("without a timestamp there is nothing to judge it by")
        .isEqualTo(Revision.MAX_NUMBER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"radio\":\"LTE\",\"lon\":0,\"lat\":-0.0 | /lon: (0, 0) is no position",
        "\"towers\":[{\"radio\":\"LTE\",\"versions\":[{\"from\":0,\"lon\":0.0,\"lat\":0}]}] | /towers: (0, 0) is no position",
      })
  void anEntryAtZeroZeroIsRejected(String members, String problem) {
    assertThatThrownBy(() -> read(null, "{\"cell\":\"1-2-3-4\"," + members + "}"))
        .isInstanceOfSatisfying(
            CellEntryException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectionReason.BAD_VALUE))
        .hasMessage(problem);
  }

  @Test
  void ofAnEntryOnlyTheVersionsAtZeroZeroAreLeftOut() throws Exception {
    String zero = "{\"from\":5,\"lon\":0,\"lat\":0}";
    String onTheEquator = "{\"from\":9,\"lon\":12.5,\"lat\":0}";

    assertThat(
            read(
                null,
                "{\"cell\":\"1-2-3-4\",\"towers\":[{\"radio\":\"GSM\",\"versions\":[%s]},{\"radio\":\"LTE\",\"versions\":[%s,%s]}]}"
                    .formatted(zero, zero, onTheEquator)))
        .isEqualTo(
            new CellEntry(
                CellId.parse("1-2-3-4"),
                List.of(new Tower(Radio.LTE, List.of(new CellVersion(9, new Position(12.5, 0)))))));
  }

  @Test
  void aFlatEntryWithoutFromHoldsFrom1970() throws Exception {
    assertThat(
            read(
                KEY,
                "{\"cell\":\""
                    + KEY
                    + "\",\"radio\":\"LTE\",\"lon\":-122.393744,\"lat\":37.788097}"))
        .isEqualTo(entryFrom(0));
  }

  @Test
  void aMessageWithoutValueRemovesTheCell() throws Exception {
    CellEntry removal = read(KEY, null);
    assertThat(removal).isEqualTo(new CellEntry(CellId.parse(KEY), List.of()));
    assertThat(CellEntryJson.value(removal)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"1000,1000", "12.5,13", "0,0", "-1,0", "null,0", "1e300,2147483647", "'\"far\"',0"})
  void aRangeIsReadInMetresAndIsOtherwiseUnknown(String range, int meters) throws Exception {
    CellEntry entry =
        read(KEY, JSON.replace("\"lat\":37.788097", "\"lat\":37.788097,\"range\":" + range));

    assertThat(entry.towers().get(0).versions().get(0).rangeMeters()).isEqualTo(meters);
  }

  @Test
  void anEntryWithoutTowersRemovesTheCell() throws Exception {
    assertThat(read(KEY, "{\"cell\":\"" + KEY + "\",\"towers\":[]}").towers()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      value = {
        "none | none | key: expected a cell id, since the message has no value",
        "x | none | key: expected mcc-mnc-area-cid or mcc-mnc--cid",
        "1-2--3 | none | key: cell: expected an area in a catalogue entry",
        "1-2-3-4 | {`cell`:`1-2-3-5`,`towers`:[]} | key: expected the same cell id as in the value",
        "none | `` | value: expected a JSON object",
        "none | [] | value: expected a JSON object",
        "none | {} | /cell: expected a text",
        "none | {`cell`:7} | /cell: expected a text",
        "none | {`cell`:`1-2-3`} | /cell: expected mcc-mnc-area-cid or mcc-mnc--cid",
        "none | {`cell`:`1-2--3`,`towers`:[]} | /cell: cell: expected an area in a catalogue entry",
        "none | {`cell`:`1-2-3-4`} | /radio: expected a text",
        "none | {`cell`:`1-2-3-4`,`towers`:null} | /towers: expected an array",
        "none | {`cell`:`1-2-3-4`,`towers`:{}} | /towers: expected an array",
        "none | {`cell`:`1-2-3-4`,`towers`:[{}]} | /towers/0/radio: expected a text",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`6G`}]} | /towers/0/radio: expected a known radio",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`}]} | /towers/0/versions: expected an array",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`,`versions`:[]}]} | /towers/0: versions: expected at least one",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`,`versions`:[{`lon`:1,`lat`:1}]}]} | /towers/0/versions/0/from: expected ISO 8601 or milliseconds since 1970",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`,`versions`:[{`from`:`x`}]}]} | /towers/0/versions/0/from: expected ISO 8601",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`,`versions`:[{`from`:1.5}]}]} | /towers/0/versions/0/from: expected ISO 8601 or milliseconds since 1970",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`,`versions`:[{`from`:1,`lon`:`1`}]}]} | /towers/0/versions/0/lon: expected a number",
        "none | {`cell`:`1-2-3-4`,`towers`:[{`radio`:`LTE`,`versions`:[{`from`:1,`lon`:1,`lat`:91}]}]} | /towers/0/versions/0: lat: expected -90 to 90, found 91.0",
        "none | {`cell`:`1-2-3-4`,`radio`:`LTE`,`lon`:1} | /lat: expected a number",
      })
  void whatIsNoEntryIsRefusedWithThePathOfWhatIsWrong(
      @Nullable String key, @Nullable String value, String message) {
    assertThatThrownBy(() -> read(key, value == null ? null : value.replace('`', '"')))
        .isInstanceOfSatisfying(
            CellEntryException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectionReason.BAD_VALUE))
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"cell\":secret", "{} {}", "{\"cell\":\"a\",\"cell\":\"b\"}", "\u0000"})
  void malformedJsonIsRefusedWithoutQuotingIt(String value) {
    assertThatThrownBy(() -> read(null, value))
        .isInstanceOfSatisfying(
            CellEntryException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectionReason.MALFORMED))
        .hasMessageMatching("value: malformed JSON at byte \\d+");
  }

  @Test
  void aMessageOverTheLimitIsRefusedUnread() {
    assertThatThrownBy(() -> read(null, " ".repeat(CellEntryJson.MAX_BYTES + 1)))
        .isInstanceOfSatisfying(
            CellEntryException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectionReason.MESSAGE_TOO_LARGE))
        .hasMessage("value: expected at most 1048576 bytes with the key, found 1048577");
  }

  @Property
  void anyBytesAreAnEntryOrRefused(@ForAll byte[] value) {
    try {
      assertThat(CellEntryJson.read(null, value, Revision.OLDEST)).isNotNull();
    } catch (CellEntryException e) {
      assertThat(e).hasMessageMatching("(?s)(key|value|/.*): .+");
    }
  }

  @Property
  void everyEntrySurvivesARoundTrip(@ForAll("entries") CellEntry entry) throws Exception {
    assertThat(
            CellEntryJson.read(
                CellEntryJson.key(entry), CellEntryJson.value(entry), Revision.OLDEST))
        .isEqualTo(entry);
  }

  @Provide
  Arbitrary<CellEntry> entries() {
    Arbitrary<CellId> cells =
        Combinators.combine(
                Arbitraries.integers().between(0, CellId.MAX_MCC),
                Arbitraries.integers().between(0, CellId.MAX_MNC),
                Arbitraries.integers().between(0, CellId.MAX_AREA),
                Arbitraries.longs().between(0, CellId.MAX_CID))
            .as(CellId::new);
    Arbitrary<Position> positions =
        Combinators.combine(
                Arbitraries.doubles().between(-180, 180).ofScale(7),
                Arbitraries.doubles().between(-90, 90).ofScale(7))
            .as(Position::new)
            .filter(position -> !position.marksUnknown());
    Arbitrary<List<CellVersion>> versions =
        Arbitraries.maps(Arbitraries.longs(), positions)
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(
                map -> {
                  List<CellVersion> list = new ArrayList<>();
                  new TreeMap<>(map)
                      .forEach(
                          (from, at) ->
                              list.add(new CellVersion(from, at, Math.floorMod(from, 3) * 700)));
                  return list;
                });
    Arbitrary<List<Tower>> towers =
        Arbitraries.maps(Arbitraries.of(Radio.class), versions)
            .ofMaxSize(3)
            .map(
                map ->
                    map.entrySet().stream()
                        .map(tower -> new Tower(tower.getKey(), tower.getValue()))
                        .toList());
    return Combinators.combine(cells, towers).as(CellEntry::new);
  }
}
