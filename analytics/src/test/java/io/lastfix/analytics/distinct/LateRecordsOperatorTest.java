package io.lastfix.analytics.distinct;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.serialization.TestBytes;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.timeline.LateCount;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LateRecordsOperatorTest {
  private static final long HOUR = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();
  private static final long LATER_HOUR = HOUR + LateCount.HOUR_MILLIS;

  private OneInputStreamOperatorTestHarness<Long, LateCount> harness;
  private long checkpoint;

  @BeforeEach
  void start() throws Exception {
    harness =
        new OneInputStreamOperatorTestHarness<>(
            new LateRecordsOperator(List.of(NumberKind.COUNTS, NumberKind.STAYS)));
    harness.setup(TestBytes.serializer(Types.POJO(LateCount.class)));
    harness.open();
    harness.setProcessingTime(1_000);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void come(long... timestamps) throws Exception {
    for (long timestamp : timestamps) {
      harness.processElement(timestamp, timestamp);
    }
  }

  private List<LateCount> forwardedBeforeABarrier() throws Exception {
    harness.prepareSnapshotPreBarrier(++checkpoint);
    List<LateCount> found = List.copyOf(harness.extractOutputValues());
    harness.getOutput().clear();
    return found;
  }

  private static String text(LateCount count) {
    return "%s %s %d"
        .formatted(Instant.ofEpochMilli(count.hourMillis()), count.kind().text(), count.records());
  }

  @Test
  void recordsAreCountedByTheirHourForEachKindOfNumbers() throws Exception {
    come(HOUR, HOUR + 3_599_999, LATER_HOUR);
    assertThat(harness.extractOutputValues()).as("before a barrier").isEmpty();
    assertThat(forwardedBeforeABarrier())
        .extracting(LateRecordsOperatorTest::text)
        .containsExactlyInAnyOrder(
            "2026-11-20T12:00:00Z counts 2",
            "2026-11-20T12:00:00Z stays 2",
            "2026-11-20T13:00:00Z counts 1",
            "2026-11-20T13:00:00Z stays 1");
    assertThat(forwardedBeforeABarrier()).as("of what has not changed").isEmpty();
  }

  @Test
  void aCountGrowsUnderItsNameAndBeginsAgainUnderAnotherOneAfterTheBurst() throws Exception {
    come(HOUR);
    LateCount first = forwardedBeforeABarrier().get(0);
    come(HOUR);
    LateCount second = forwardedBeforeABarrier().get(0);
    assertThat(second.records()).isEqualTo(2);
    assertThat(second.sinceMillis()).isEqualTo(1_000);
    assertThat(second.burst()).isEqualTo(first.burst());

    harness.setProcessingTime(1_000 + LateRecordsOperator.BURST.toMillis());
    come(HOUR);
    LateCount last = forwardedBeforeABarrier().get(0);
    assertThat(last.records()).as("the barrier ends the burst").isEqualTo(3);
    assertThat(last.burst()).isEqualTo(first.burst());
    come(HOUR);
    LateCount next = forwardedBeforeABarrier().get(0);
    assertThat(next.records()).isEqualTo(1);
    assertThat(next.sinceMillis()).isEqualTo(1_000 + LateRecordsOperator.BURST.toMillis());
    assertThat(next.burst()).isNotEqualTo(first.burst());
  }

  @Test
  void anotherAttemptHasAnotherNameSoThatNothingIsReplaced() throws Exception {
    come(HOUR);
    String burst = forwardedBeforeABarrier().get(0).burst();
    harness.close();
    start();
    come(HOUR);
    assertThat(forwardedBeforeABarrier().get(0).burst()).isNotEqualTo(burst);
  }

  @Test
  void atTheEndOfTheInputTheRestIsForwarded() throws Exception {
    come(HOUR);
    harness.endInput();
    assertThat(harness.extractOutputValues())
        .extracting(LateRecordsOperatorTest::text)
        .containsExactly("2026-11-20T12:00:00Z counts 1", "2026-11-20T12:00:00Z stays 1");
  }
}
