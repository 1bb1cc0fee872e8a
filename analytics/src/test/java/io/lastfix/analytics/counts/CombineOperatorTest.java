package io.lastfix.analytics.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.TestBytes;
import io.lastfix.store.counts.CountBy;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CombineOperatorTest {
  private static final long T = TestRecords.T;
  private static final long WINDOW = 10_000;

  private OneInputStreamOperatorTestHarness<LocatedRecord, PartialCount> combine;

  @BeforeEach
  void start() throws Exception {
    combine =
        new OneInputStreamOperatorTestHarness<>(
            new CombineOperator(new Grouping(List.of(CountBy.TOTAL), 13)));
    combine.setProcessingTime(T);
    combine.setup(TestBytes.serializer(Types.POJO(PartialCount.class)));
    combine.open();
  }

  @AfterEach
  void stop() throws Exception {
    combine.close();
  }

  @Test
  void liveRecordsAreForwardedOnceASecond() throws Exception {
    for (int second = 1; second <= 5; second++) {
      record(T + second);
      record(T + second);
      time(T + second * 1_000L);
      assertThat(forwarded()).as("second %d", second).containsExactly(2L);
    }
  }

  @Test
  void recordsOfMoreThanFiveMinutesAgoAreForwardedOnceInTenSeconds() throws Exception {
    for (int second = 1; second <= 9; second++) {
      record(T - 300_001);
      time(T + second * 1_000L);
      assertThat(forwarded()).as("second %d", second).isEmpty();
    }
    record(T - 300_001);
    time(T + 10_000);
    assertThat(forwarded()).containsExactly(10L);

    record(T - 289_000);
    time(T + 11_000);
    assertThat(forwarded()).as("no longer behind").hasSize(1);
  }

  @Test
  void aWatermarkForwardsTheWindowsThatItCloses() throws Exception {
    record(T - 10 * WINDOW);
    record(T - 9 * WINDOW);
    record(T - 9 * WINDOW);

    combine.processWatermark(new Watermark(T - 9 * WINDOW - 1));
    assertThat(forwarded()).containsExactly(1L);
    combine.processWatermark(new Watermark(T - 8 * WINDOW - 2));
    assertThat(forwarded()).isEmpty();
    combine.processWatermark(new Watermark(T - 8 * WINDOW - 1));
    assertThat(forwarded()).containsExactly(2L);
  }

  @Test
  void nothingIsHeldOverACheckpoint() throws Exception {
    record(T - 10 * WINDOW);
    combine.prepareSnapshotPreBarrier(1);

    assertThat(forwarded()).containsExactly(1L);
  }

  private void record(long timestampMillis) throws Exception {
    combine.processElement(
        new StreamRecord<>(TestRecords.record("a", 1, timestampMillis), timestampMillis));
  }

  private void time(long millis) throws Exception {
    combine.setProcessingTime(millis);
  }

  /** Numbers of what came out since the last call. */
  private List<Long> forwarded() {
    List<Long> numbers = combine.extractOutputValues().stream().map(PartialCount::n).toList();
    combine.getOutput().clear();
    return numbers;
  }
}
