package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.sink.NumberSink.AlertBatching;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestRecords;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertBatchingTest {
  /** 2026-11-20T12:00:00Z. */
  private static final long T = 1_795_176_000_000L;

  /** 2026-12-01T00:00:30Z. */
  private static final long DECEMBER = 1_796_083_230_000L;

  private final AlertBatching batching =
      new AlertBatching(new NumberCollections("alerts", PartitionPeriod.MONTH, "at"));

  private static Alert left(long version, long atMillis, long confirmedMillis, long counted) {
    return new Alert(
        "a",
        atMillis,
        "left",
        version,
        Alert.Kind.LEFT,
        confirmedMillis,
        "depot",
        Alert.Cause.RECORD,
        TestRecords.POSITION,
        null,
        PositionSource.GNSS,
        null,
        1,
        counted,
        List.of());
  }

  @Test
  void theInstantAtWhichItBeganDecidesOnTheCollection() {
    assertThat(batching.collection(left(1, T, DECEMBER, 0))).isEqualTo("alerts_2026_11");
    assertThat(batching.collection(left(1, DECEMBER, DECEMBER, 0))).isEqualTo("alerts_2026_12");
  }

  /** The server keeps the first one, so the order of two writes does not matter. */
  @Test
  void ofTwoRepeatsOfAnAlertTheFirstOneIsWritten() {
    Alert alert = left(1, T, T, 0);
    Alert repeat = left(1, T, T, 2);

    assertThat(batching.coalescingKey(repeat)).isEqualTo(batching.coalescingKey(alert));
    assertThat(batching.maxEncodedBytes(repeat)).isEqualTo(batching.maxEncodedBytes(alert));
    assertThat(batching.supersedes(repeat, alert)).isFalse();
    assertThat(batching.needsOrder()).isFalse();
  }

  @Test
  void anotherVersionOrInstantIsAnotherAlert() {
    Object key = batching.coalescingKey(left(1, T, T, 0));

    assertThat(batching.coalescingKey(left(2, T, T, 0))).isNotEqualTo(key);
    assertThat(batching.coalescingKey(left(1, T + 1, T + 1, 0))).isNotEqualTo(key);
  }
}
