package io.lastfix.audit.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import java.time.Instant;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryLayoutTest {
  private static final HistoryLayout MONTHS = layout(PartitionPeriod.MONTH);

  @ParameterizedTest
  @CsvSource({
    "MONTH, 2026-11-20T13:00:00Z, 202611, history_2026_11",
    "MONTH, 2026-12-31T23:59:59.999Z, 202612, history_2026_12",
    "DAY, 2024-02-29T00:00:00Z, 20240229, history_2024_02_29",
    "HOUR, 2026-01-01T00:59:59Z, 2026010100, history_2026_01_01_00"
  })
  void aMomentHasItsCollectionAndACollectionItsPeriod(
      PartitionPeriod kind, Instant ts, long period, String collection) {
    HistoryLayout layout = layout(kind);

    assertThat(layout.period(ts.toEpochMilli())).isEqualTo(period);
    assertThat(layout.collection(period)).isEqualTo(collection);
    assertThat(layout.period(collection)).isEqualTo(OptionalLong.of(period));
  }

  @Test
  void collectionsOfAnotherKindOfPeriodAreHistoryWithoutAPeriod() {
    assertThat(MONTHS.isHistory("history_2026_11_20")).isTrue();
    assertThat(MONTHS.period("history_2026_11_20")).isEmpty();
    assertThat(MONTHS.isHistory("history_2026")).isFalse();
    assertThat(MONTHS.isHistory("history2_2026_11")).isFalse();
    assertThat(MONTHS.isHistory("last_known_location")).isFalse();
  }

  /** Computed with date(1), sha256sum(1) and xxd(1), not with this code. */
  @Test
  void anIdIsTheTimeThenTheHashOfCellAndUser() {
    assertThat(
            HexFormat.of()
                .formatHex(
                    MONTHS.id(1_795_176_001_001L, "234-10-4021-20911362", "", "350000000007919")))
        .isEqualTo("000001a1f8d3ede913fd541e710873f5b3f75388");
  }

  /** Computed with sha256sum(1), after the bits with Python's struct.pack(">d"). */
  @ParameterizedTest
  @CsvSource({
    "234-10-4021-20911362, 000001a1f8d3ede95a34cec420bb8a607975163e",
    "'', 000001a1f8d3ede97ad32f20e3329184dd254791",
  })
  void anIdOfAnOwnPositionAlsoHasItsSourceAndTheBitsOfItsCoordinates(String cell, String id) {
    assertThat(
            HexFormat.of()
                .formatHex(
                    MONTHS.id(
                        1_795_176_001_001L,
                        cell.isEmpty() ? null : cell,
                        OwnPosition.identity("gnss", -122.4, 37.75),
                        "350000000007919")))
        .isEqualTo(id);
  }

  private static HistoryLayout layout(PartitionPeriod period) {
    return new HistoryLayout(TestHistory.of(period));
  }
}
