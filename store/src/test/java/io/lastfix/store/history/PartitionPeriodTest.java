package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionPeriodTest {

  @ParameterizedTest
  @CsvSource({
    "MONTH, 2026-11-20T13:45:01.001Z, history_2026_11",
    "DAY, 2026-11-20T13:45:01.001Z, history_2026_11_20",
    "HOUR, 2026-11-20T13:45:01.001Z, history_2026_11_20_13",
    "MONTH, 2026-12-01T00:00:00.000Z, history_2026_12",
    "MONTH, 2026-11-30T23:59:59.999Z, history_2026_11",
    "DAY, 2028-02-29T23:59:59.999Z, history_2028_02_29",
    "HOUR, 1969-12-31T23:59:59.999Z, history_1969_12_31_23",
    "MONTH, 1969-12-31T23:59:59.999Z, history_1969_12"
  })
  void aMomentIsInThePeriodOfItsUtcTime(PartitionPeriod period, Instant moment, String collection) {
    assertThat(period.collectionName("history", moment.toEpochMilli())).isEqualTo(collection);
  }

  /** Instants of 200 years, repeated, so that slots are reused. */
  @Property(tries = 200)
  void aRememberedNameIsTheFormattedOne(
      @ForAll PartitionPeriod period,
      @ForAll @LongRange(min = -3_000_000_000_000L, max = 3_000_000_000_000L) long[] moments) {
    PartitionNames names = new PartitionNames(TestHistory.of(period));

    for (long moment : moments) {
      String expected = period.collectionName("history", moment);
      assertThat(names.nameAt(moment)).isEqualTo(expected);
      assertThat(names.nameAt(moment)).isEqualTo(expected);
    }
  }
}
