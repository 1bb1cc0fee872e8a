package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryPartitionTest {
  private static final Instant MOMENT = Instant.parse("2026-11-20T12:00:01.001Z");

  @ParameterizedTest
  @CsvSource({
    "history_2026_11, 2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z",
    "history_2026_12, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z",
    "history_2028_02, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
    "history_2026_11_20, 2026-11-20T00:00:00Z, 2026-11-21T00:00:00Z",
    "history_2026_12_31, 2026-12-31T00:00:00Z, 2027-01-01T00:00:00Z",
    "history_2026_11_20_13, 2026-11-20T13:00:00Z, 2026-11-20T14:00:00Z",
    "history_2026_11_30_23, 2026-11-30T23:00:00Z, 2026-12-01T00:00:00Z"
  })
  void aNameTellsTheTimeThatTheCollectionCanHold(String name, Instant start, Instant end) {
    assertThat(HistoryPartition.parse("history", name))
        .contains(new HistoryPartition(name, start, end));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "history",
        "history_",
        "history_2026",
        "history_26_11",
        "history_2026_1",
        "history_2026_13",
        "history_2026_00",
        "history_2026_02_30",
        "history_2026_11_20_24",
        "history_2026_11_20_13_30",
        "history_2026_11_",
        "history_+026_11",
        "history_2026_-1",
        "history_2026_11_notes",
        "history_\u0662026_11",
        "archive_2026_11",
        "history2026_11",
        "old_history_2026_11"
      })
  void anyOtherNameIsSomebodyElsesCollection(String name) {
    assertThat(HistoryPartition.parse("history", name)).isEmpty();
  }

  @Test
  void aPrefixMayItselfLookLikeAPeriod() {
    assertThat(HistoryPartition.parse("history_2026", "history_2026_2027_01"))
        .map(HistoryPartition::start)
        .contains(Instant.parse("2027-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @EnumSource
  void theNamesThatTheSinkGivesAreReadBack(PartitionPeriod period) {
    String name = period.collectionName("history", MOMENT.toEpochMilli());

    assertThat(HistoryPartition.parse("history", name))
        .hasValueSatisfying(
            partition -> {
              assertThat(partition.start()).isBeforeOrEqualTo(MOMENT);
              assertThat(partition.end()).isAfter(MOMENT);
              // The first and the last instant belong to the same period, their neighbours do not.
              assertThat(nameAt(period, partition.start())).isEqualTo(name);
              assertThat(nameAt(period, partition.end().minusMillis(1))).isEqualTo(name);
              assertThat(nameAt(period, partition.start().minusMillis(1))).isNotEqualTo(name);
              assertThat(nameAt(period, partition.end())).isNotEqualTo(name);
            });
  }

  private static String nameAt(PartitionPeriod period, Instant moment) {
    return period.collectionName("history", moment.toEpochMilli());
  }

  @ParameterizedTest(name = "[{0}, {1}) {2}")
  @CsvSource({
    "2026-11-20T00:00:00Z, 2026-11-21T00:00:00Z, true",
    "2026-11-20T23:59:59.999Z, 2026-12-01T00:00:00Z, true",
    "2026-11-21T00:00:00Z, 2026-12-01T00:00:00Z, false",
    "2026-11-01T00:00:00Z, 2026-11-20T00:00:00Z, false",
    "2026-11-01T00:00:00Z, 2026-11-20T00:00:00.001Z, true",
    "2026-01-01T00:00:00Z, 2026-12-31T00:00:00Z, true"
  })
  void aRangeOverlapsFromItsFirstMomentUpToButWithoutItsLast(
      Instant from, Instant to, boolean overlaps) {
    HistoryPartition day = HistoryPartition.parse("history", "history_2026_11_20").orElseThrow();

    assertThat(day.overlaps(from, to)).isEqualTo(overlaps);
  }
}
