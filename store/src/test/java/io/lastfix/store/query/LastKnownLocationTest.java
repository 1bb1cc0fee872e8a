package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.SightingSource.Row;
import io.lastfix.store.query.SightingSource.Subject;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonBinary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LastKnownLocationTest {
  private static final Subject USER = Subject.user("350000000007919");
  private static final Instant NEWEST = Instant.parse("2026-12-01T00:04:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final Sighting TOWER = cell(0);

  /** A tower's sighting, that long before the newest. */
  private static Sighting cell(int seconds) {
    return new Sighting(
        USER.value(), NEWEST.minusSeconds(seconds), "1-1-1-1", new Position(seconds / 1e6, 1));
  }

  private static Sighting own(int seconds, @Nullable Double accuracyMeters) {
    return new Sighting(
        USER.value(),
        NEWEST.minusSeconds(seconds),
        null,
        new Position(seconds / 1e6, 2),
        PositionSource.GNSS,
        accuracyMeters,
        100.0,
        null,
        false,
        null);
  }

  private static Sighting unlocated(int seconds) {
    return new Sighting(USER.value(), NEWEST.minusSeconds(seconds), "1-1-1-2", null);
  }

  /** As Last Known Location has it, without the altitude. */
  private static Sighting ofLastKnown(Sighting sighting) {
    return new Sighting(
        sighting.user(),
        sighting.timestamp(),
        sighting.cell(),
        sighting.position(),
        sighting.source(),
        sighting.accuracyMeters(),
        null,
        null,
        false,
        null);
  }

  private static Sighting best(LastKnownLocation known, Sighting... history) {
    PartitionsInMemory partitions = new PartitionsInMemory();
    for (int i = 0; i < history.length; i++) {
      long millis = history[i].timestamp().toEpochMilli();
      byte[] id = ByteBuffer.allocate(20).putLong(millis).put(19, (byte) i).array();
      partitions.store(
          PartitionPeriod.MONTH,
          new Row(new RecordPosition(millis, new BsonBinary(id)), history[i]));
    }
    TimeRange range = known.before(WINDOW);
    try (SightingCursor cursor =
        new SightingCursor(partitions, USER, range, TimeOrder.NEWEST_FIRST)) {
      return known.mostExact(range, cursor);
    }
  }

  @Test
  void theSmallestAccuracyOfTheWindowWinsWhateverTheOrder() {
    List<Sighting> history =
        new ArrayList<>(
            List.of(
                TOWER,
                unlocated(1),
                own(60, 50.0),
                own(300, 8.0),
                own(400, 8.5),
                own(500, null),
                cell(550),
                own(601, 1.0)));
    Random random = new Random(16);
    for (int i = 0; i < 20; i++) {
      Collections.shuffle(history, random);
      assertThat(
              best(
                  new LastKnownLocation(TOWER, ofLastKnown(own(60, 50.0))),
                  history.toArray(Sighting[]::new)))
          .isEqualTo(own(300, 8.0));
    }
  }

  @Test
  void theWindowIncludesItsFirstInstant() {
    assertThat(best(new LastKnownLocation(TOWER, null), TOWER, own(600, 1.0)))
        .isEqualTo(own(600, 1.0));
    assertThat(new LastKnownLocation(TOWER, null).before(WINDOW))
        .isEqualTo(
            new TimeRange(
                Instant.parse("2026-11-30T23:54:00Z"), Instant.parse("2026-12-01T00:04:00.001Z")));
  }

  @Test
  void amongEqualAccuraciesTheNewestWins() {
    assertThat(best(new LastKnownLocation(TOWER, null), own(20, 8.0), own(10, 8.0), own(30, 8.0)))
        .isEqualTo(own(10, 8.0));
  }

  @Test
  void anOwnPositionOfUnknownAccuracyComesBeforeATowerAndAfterAllOthers() {
    assertThat(best(new LastKnownLocation(TOWER, null), TOWER, own(500, null)))
        .isEqualTo(own(500, null));
    assertThat(best(new LastKnownLocation(TOWER, null), own(1, null), own(500, 5_000.0)))
        .isEqualTo(own(500, 5_000.0));
  }

  @Test
  void withoutAnOwnPositionInTheWindowTheNewestIsShown() {
    LastKnownLocation known = new LastKnownLocation(TOWER, ofLastKnown(own(700, 5.0)));

    assertThat(best(known, TOWER, cell(10), own(700, 5.0))).isEqualTo(TOWER);
    assertThat(best(known)).isEqualTo(TOWER);
  }

  @Test
  void theFixCountsIfHistoryDoesNotHaveItYetAndHistorysFormIsPreferredOnceItDoes() {
    Sighting stored = ofLastKnown(own(60, 5.0));

    assertThat(best(new LastKnownLocation(TOWER, stored), TOWER)).isEqualTo(stored);
    assertThat(best(new LastKnownLocation(TOWER, stored), own(60, 5.0))).isEqualTo(own(60, 5.0));
    Sighting newest = ofLastKnown(own(0, 5.0));
    assertThat(best(new LastKnownLocation(newest, newest), own(0, 5.0))).isEqualTo(own(0, 5.0));
  }

  @Test
  void bothAreShownOnlyIfTheyDiffer() {
    assertThat(new LastKnownLocation(TOWER, null).sightings()).containsExactly(TOWER);
    assertThat(new LastKnownLocation(TOWER, own(60, 5.0)).sightings())
        .containsExactly(TOWER, own(60, 5.0));
    assertThat(new LastKnownLocation(own(60, 5.0), own(60, 5.0)).sightings())
        .containsExactly(own(60, 5.0));
  }

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "10m, PT10M", "2h, PT2H", "7d, P7D", "366d, P366D", "0.001s, PT0.001S"})
  void aWindowIsANumberAndAUnit(String text, Duration window) {
    assertThat(LastKnownLocation.window(text)).isEqualTo(window);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "m",
        "d",
        "10x",
        "10 m",
        "0m",
        "-10m",
        "0.0001s",
        "367d",
        "-367d",
        "99999999999999d"
      })
  void anythingElseIsNoWindow(String text) {
    assertThatThrownBy(() -> LastKnownLocation.window(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected a duration such as 90s, 10m, 2h or 7d, up to 366d, found '%s'", text);
  }

  @Test
  void aWindowOutOfRangeIsRefusedAndOneBeforeAllTimesIsCut() {
    Sighting first = new Sighting("u", Instant.parse("0000-01-02T00:00:00Z"), "1-1-1-1", null);

    assertThatThrownBy(() -> new LastKnownLocation(TOWER, null).before(Duration.ZERO))
        .hasMessage("window: expected 1 ms to 366 days, found PT0S");
    assertThat(new LastKnownLocation(first, null).before(Duration.ofDays(7)).from())
        .isEqualTo(TimeRange.ALL.from());
  }
}
