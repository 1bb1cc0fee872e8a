package io.lastfix.bench.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.sink.BulkOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinedWritesTest {
  /** Room for six writes: eight, less a bulk of two in flight. */
  private static final BulkOptions OPTIONS =
      new BulkOptions(
          2,
          1_000_000,
          1,
          8,
          1_000_000,
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofSeconds(10),
          Duration.ofMinutes(5));

  @Test
  void aRecordJoinsTheWriteOfItsUserThatWaitsAndTheNewestWins() {
    JoinedWrites writes = new JoinedWrites(1, OPTIONS);

    assertThat(writes.add(record("a", 2))).isEmpty();
    assertThat(writes.add(record("a", 3))).isEmpty();
    assertThat(writes.add(record("a", 1))).isEmpty();

    assertThat(writes.rest()).containsExactly(List.of(record("a", 3)));
    assertThat(writes.rest()).isEmpty();
  }

  @Test
  void aRecordAtACellAndOneWithAPositionOfItsOwnAreTwoWritesOfTheirUser() {
    JoinedWrites writes = new JoinedWrites(1, OPTIONS);
    Fix fix = new Fix(new Position(-0.1, 51.5), PositionSource.GNSS);

    assertThat(writes.add(fix(fix, 1))).isEmpty();
    assertThat(writes.add(record("a", 3))).isEmpty();
    assertThat(writes.add(fix(fix, 2))).isEmpty();

    assertThat(writes.rest()).containsExactly(List.of(fix(fix, 2), record("a", 3)));
  }

  private static LocatedRecord fix(Fix fix, long timestampMillis) {
    return new LocatedRecord("a", new Place.AtFix(fix), timestampMillis, null, false);
  }

  @Test
  void theOldestWritesLeaveInABulkWhenThereIsNoRoomForMore() {
    JoinedWrites writes = new JoinedWrites(1, OPTIONS);
    for (String user : List.of("a", "b", "c", "d", "e", "a")) {
      assertThat(writes.add(record(user, 1))).isEmpty();
    }

    assertThat(writes.add(record("f", 1))).containsExactly(record("a", 1), record("b", 1));
    assertThat(writes.rest())
        .containsExactly(
            List.of(record("c", 1), record("d", 1)), List.of(record("e", 1), record("f", 1)));
  }

  @Test
  void eachUserHasOneLane() {
    JoinedWrites writes = new JoinedWrites(2, OPTIONS);
    for (int i = 0; i < 4; i++) {
      for (String user : List.of("a", "b", "c", "d", "e")) {
        assertThat(writes.add(record(user, i))).isEmpty();
      }
    }

    assertThat(writes.rest().stream().flatMap(List::stream))
        .extracting(LocatedRecord::user, LocatedRecord::timestampMillis)
        .containsExactlyInAnyOrder(
            tuple("a", 3L), tuple("b", 3L), tuple("c", 3L), tuple("d", 3L), tuple("e", 3L));
  }

  private static LocatedRecord record(String user, long timestampMillis) {
    return new LocatedRecord(
        user, new CellId(234, 10, 1, 1), timestampMillis, new Position(-0.1, 51.5));
  }
}
