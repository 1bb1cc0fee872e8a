package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryPartitionsTest {
  @ParameterizedTest
  @CsvSource({
    "MONTH, history_2025_12, 2025-12-01T00:00:00Z, 2026-01-01T00:00:00Z",
    "DAY, history_2026_02_28, 2026-02-28T00:00:00Z, 2026-03-01T00:00:00Z",
    "HOUR, history_2026_11_20_23, 2026-11-20T23:00:00Z, 2026-11-21T00:00:00Z"
  })
  void whatIsMissingOfAPartitionIsMadeByACommandWithItsOwnTimes(
      PartitionPeriod period, String partition, String from, String to) {
    assertThat(HistoryPartitions.creatingCommand(TestHistory.of(period), partition))
        .isEqualTo("lastfix partitions create --from %s --to %s".formatted(from, to));
  }
}
