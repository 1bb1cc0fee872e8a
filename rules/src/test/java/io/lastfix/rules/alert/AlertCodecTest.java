package io.lastfix.rules.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AlertCodecTest {
  private static final long AT = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();

  private static final Alert LEFT =
      new Alert(
          "ashgati",
          AT,
          "left-airport",
          4,
          Alert.Kind.LEFT,
          AT + 60_000,
          "sfo",
          Alert.Cause.FENCE_CHANGED,
          new Position(-122.4, 37.7),
          new CellId(310, 260, 7, 1),
          PositionSource.GNSS,
          12.0,
          0.75,
          3,
          List.of(
              new Action(Action.Kind.WEBHOOK, "dispatch"),
              new Action(Action.Kind.MQTT, "lastfix/v1/alerts")));

  private static final String VALUE =
      """
      {"id":"%s","user":"ashgati","rule":"left-airport","v":4,"kind":"left","at":"2026-11-20T12:00:00Z",\
      "confirmed":"2026-11-20T12:01:00Z","fence":"sfo","cause":"fence-changed",\
      "loc":{"lon":-122.4,"lat":37.7},"cell":"310-260-7-1","src":"gnss","acc":12.0,\
      "certainty":0.75,"counted":3,"then":[{"webhook":"dispatch"},{"mqtt":"lastfix/v1/alerts"}]}\
      """
          .formatted(AlertCodec.id(LEFT));

  private static Alert read(String value) throws AlertFormatException {
    return AlertCodec.read(value.getBytes(UTF_8));
  }

  @Example
  void anAlertHasTheseBytes() throws AlertFormatException {
    assertThat(new String(AlertCodec.key(LEFT), UTF_8)).isEqualTo("ashgati");
    assertThat(new String(AlertCodec.value(LEFT), UTF_8)).isEqualTo(VALUE);
    assertThat(read(VALUE)).isEqualTo(LEFT);
  }

  /** A receiver computes it from the message: sha256sum prints the same. */
  @Example
  void theIdIsTheDigestOfWhatIdentifiesAnAlert() {
    assertThat(AlertCodec.id(LEFT)).isEqualTo("bc879d1904e33c2fc87d9968c903240a");
  }

  /** TaskManagers have the locale of their machine. */
  @Example
  void theIdHasTheSameDigitsInEachLocale() {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(AlertCodec.id(LEFT)).isEqualTo("bc879d1904e33c2fc87d9968c903240a");
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }

  @Example
  void whatMayBeAbsentIsAbsent() throws AlertFormatException {
    Alert fast =
        new Alert(
            "anna",
            AT,
            "fast",
            1,
            Alert.Kind.EXPR,
            AT,
            null,
            Alert.Cause.RECORD,
            new Position(0, 0),
            null,
            PositionSource.CELL,
            null,
            1,
            0,
            List.of());

    assertThat(AlertCodec.json(fast).fieldNames())
        .toIterable()
        .doesNotContain("fence", "cell", "acc")
        .hasSize(AlertCodec.json(LEFT).size() - 3);
    assertThat(AlertCodec.read(AlertCodec.value(fast))).isEqualTo(fast);
  }

  @Example
  void anAlertMayHaveNoPosition() throws AlertFormatException {
    Alert silent =
        new Alert(
            "anna",
            AT,
            "quiet",
            1,
            Alert.Kind.SILENT,
            AT + 600_000,
            null,
            Alert.Cause.SILENCE,
            null,
            null,
            null,
            null,
            1,
            0,
            List.of());

    assertThat(AlertCodec.json(silent).fieldNames())
        .toIterable()
        .doesNotContain("fence", "loc", "cell", "src", "acc");
    assertThat(AlertCodec.read(AlertCodec.value(silent))).isEqualTo(silent);
  }

  @Example
  void unknownMembersAreSkipped_AndReceiversOfALaterReleaseToo() throws AlertFormatException {
    assertThat(
            read(
                VALUE
                    .replace("\"counted\"", "\"later\":[1],\"counted\"")
                    .replace("[{\"webhook\"", "[{\"pager\":7},5,{\"webhook\"")))
        .isEqualTo(LEFT);
  }

  @Example
  void receiversOfALaterReleaseAreFound() throws AlertFormatException {
    String then = "[{\"webhook\":\"dispatch\"},{\"mqtt\":\"lastfix/v1/alerts\"}]";
    String later = VALUE.replace(then, "[{\"pager\":7},{\"webhook\":\"dispatch\"},5]");

    assertThat(AlertCodec.ofUnknownActions(VALUE.getBytes(UTF_8))).isNull();
    assertThat(new String(AlertCodec.ofUnknownActions(later.getBytes(UTF_8)), UTF_8))
        .isEqualTo(VALUE.replace(then, "[{\"pager\":7},5]"));
  }

  @Example
  void whatCannotBeReadIsRefused_WithoutTheUser() {
    assertRefused("{", "the value is no JSON");
    assertRefused("[]", "the value has no text user");
    assertRefused(VALUE.replace("\"v\":4", "\"v\":4.5"), "v is no whole number");
    assertRefused(VALUE.replace("37.7", "\"x\""), "lat is no number");
    assertRefused(VALUE.replace("37.7", "137.7"), "one of its values is not possible");
    assertRefused(VALUE.replace("gnss", "ashgati"), "one of its values is not possible");
    assertRefused(VALUE.replace("\"left\"", "\"lost\""), "kind has an unknown text");
    assertRefused(
        VALUE.replace("2026-11-20T12:01:00Z", "ashgati"), "one of its values is not possible");
    assertRefused(
        VALUE.replace("\"then\":[", "\"then\":[" + "{\"webhook\":\"a\"},".repeat(63)),
        "then has more than 64 actions");
    String then = "[{\"webhook\":\"dispatch\"},{\"mqtt\":\"lastfix/v1/alerts\"}]";
    assertRefused(VALUE.replace(then, "\"dispatch\""), "then is no array");
    assertRefused(VALUE.replace(then, "{\"webhook\":{\"mqtt\":\"a\"}}"), "then is no array");
    assertThatThrownBy(() -> AlertCodec.read(null)).hasMessage("it has no value");
    assertThatThrownBy(() -> AlertCodec.read(new byte[(1 << 20) + 1]))
        .hasMessage("the value has more than 1048576 bytes");
  }

  private static void assertRefused(String value, String message) {
    assertThatThrownBy(() -> read(value))
        .isInstanceOf(AlertFormatException.class)
        .hasMessage(message);
  }

  @Property(tries = 2_000)
  void anAlertIsReadAgain(@ForAll("alerts") Alert alert) throws AlertFormatException {
    assertThat(AlertCodec.read(AlertCodec.value(alert))).isEqualTo(alert);
  }

  @Property(tries = 2_000)
  void alertsHaveOneIdIfTheyAreTheSame(@ForAll("alerts") Alert one, @ForAll("alerts") Alert other) {
    boolean isSame =
        one.user().equals(other.user())
            && one.atMillis() == other.atMillis()
            && one.rule().equals(other.rule())
            && one.version() == other.version()
            && one.kind() == other.kind();

    assertThat(AlertCodec.id(one)).hasSize(32).matches("[0-9a-f]+");
    assertThat(AlertCodec.id(one).equals(AlertCodec.id(other))).isEqualTo(isSame);
  }

  /** Few values of what identifies an alert, so that some are the same. */
  @Provide
  Arbitrary<Alert> alerts() {
    Arbitrary<String> users = Arbitraries.of("a", "a a", "a ", "é€\ud83d\ude00", "\"\0\\");
    Arbitrary<Long> times = Arbitraries.of(0L, 1L, -1L, AT);
    Arbitrary<Alert> identified =
        Combinators.combine(
                users,
                times,
                Arbitraries.of("a", "a-a"),
                Arbitraries.of(1L, 2L, Long.MAX_VALUE),
                Arbitraries.of(Alert.Kind.LEFT, Alert.Kind.EXPR))
            .as(
                (user, at, rule, version, kind) ->
                    new Alert(
                        user,
                        at,
                        rule,
                        version,
                        kind,
                        at,
                        null,
                        LEFT.cause(),
                        LEFT.position(),
                        null,
                        LEFT.source(),
                        null,
                        1,
                        0,
                        List.of()));
    return Combinators.combine(
            identified,
            times,
            Arbitraries.of("sfo", "a-b").injectNull(0.3),
            Arbitraries.of(Alert.Cause.class),
            Arbitraries.of(LEFT.position(), new Position(180, -90), new Position(1.0 / 3, 1e-9)),
            Arbitraries.of(new CellId(310, 260, CellId.NO_AREA, CellId.MAX_CID)).injectNull(0.3),
            Arbitraries.doubles().between(0.1, 1e7).injectNull(0.3),
            Combinators.combine(Arbitraries.of(Action.Kind.class), users)
                .as(Action::new)
                .list()
                .ofMaxSize(8))
        .as(
            (alert, confirmed, fence, cause, position, cell, accuracy, then) ->
                new Alert(
                    alert.user(),
                    alert.atMillis(),
                    alert.rule(),
                    alert.version(),
                    alert.kind(),
                    confirmed,
                    fence,
                    cause,
                    position,
                    cell,
                    PositionSource.MLP,
                    accuracy,
                    1.0 / 7,
                    Long.MAX_VALUE,
                    then));
  }
}
