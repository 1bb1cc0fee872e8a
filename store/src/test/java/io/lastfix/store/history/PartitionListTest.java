package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lastfix.store.history.PartitionList.Entry;
import io.lastfix.store.history.PartitionList.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PartitionListTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final HistoryOptions DAYS = TestHistory.of(PartitionPeriod.DAY);

  private static PartitionList list(HistoryOptions history, List<String> names) {
    return PartitionList.of(
        "lastfix",
        history,
        names.stream().map(name -> HistoryPartition.parse("history", name).orElseThrow()).toList(),
        NOW);
  }

  @Test
  void theClockSaysWhatEachPartitionIs() {
    List<String> names =
        Stream.of("11_09", "11_10", "11_19", "11_20", "11_21", "11_22")
            .map("history_2026_"::concat)
            .toList();
    HistoryOptions keptForTenDays =
        TestHistory.withRetention(
            DAYS, HistoryRetention.of(PartitionPeriod.DAY, Duration.ofDays(10), Duration.ZERO));

    assertThat(list(keptForTenDays, names).partitions())
        .extracting(Entry::state)
        .containsExactly(
            State.EXPIRED, State.PAST, State.PAST, State.CURRENT, State.NEXT, State.FUTURE);
    assertThat(list(DAYS, names).partitions())
        .extracting(Entry::state)
        .startsWith(State.PAST, State.PAST);
  }

  @Test
  void partitionsOfAnotherPeriodAreToldByTheirOwnTime() {
    assertThat(
            list(DAYS, List.of("history_2026_10", "history_2026_11", "history_2026_11_20"))
                .partitions())
        .extracting(Entry::name, Entry::state)
        .containsExactly(
            tuple("history_2026_10", State.PAST),
            tuple("history_2026_11", State.CURRENT),
            tuple("history_2026_11_20", State.CURRENT));
  }

  @Test
  void theViewHasNoRoomForTheOldestOfMoreThan900() {
    List<String> names = new ArrayList<>();
    for (int day = 0; day < 902; day++) {
      names.add(DAYS.collectionAt(day * Duration.ofDays(1).toMillis()));
    }

    PartitionList list = list(DAYS, names);

    assertThat(list.inView()).isEqualTo(900);
    assertThat(list.partitions().stream().filter(entry -> !entry.inView()).map(Entry::name))
        .containsExactly("history_1970_01_01", "history_1970_01_02");
    assertThat(list(TestHistory.withView(DAYS, ""), names).inView()).isZero();
  }
}
