package io.lastfix.analytics.distinct;

import static io.lastfix.analytics.counts.TestRecords.T;
import static io.lastfix.analytics.counts.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.RecordTypes;
import java.time.Instant;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DistinctFunctionTest {
  private static final long HOUR = 3_600_000;

  /** Its numbers lack them after the restart, too. */
  @Test
  void aRestartDoesNotForgetHowManyRecordsCameTooLate() throws Exception {
    var first = harness(null);
    first.processWatermark(new Watermark(T));
    read(first, record("a", 1, T - HOUR - 1));
    read(first, record("b", 1, T - HOUR - 2));
    read(first, record("c", 1, T - HOUR));
    OperatorSubtaskState state = first.snapshot(1, 1);
    first.close();

    var second = harness(state);
    read(second, record("a", 1, T - HOUR - 3));
    state = second.snapshot(2, 2);
    second.close();

    var third = harness(state);
    assertThat(
            third
                .getOperator()
                .getOperatorStateBackend()
                .getListState(new ListStateDescriptor<>("too-late", Types.LONG))
                .get())
        .containsExactly(3L);
    third.close();
  }

  /** A clock that was ahead may have saved it. */
  @Test
  void aTimeAheadOfTheClockIsNotRestored() throws Exception {
    var first = harness(null);
    first.processWatermark(new Watermark(Instant.parse("2100-01-01T00:00:00Z").toEpochMilli()));
    read(first, record("a", 1, T));
    OperatorSubtaskState state = first.snapshot(1, 1);
    first.close();

    var second = harness(state);
    read(second, record("a", 1, System.currentTimeMillis()));

    assertThat(second.extractOutputStreamRecords()).hasSize(1);
    second.close();
  }

  private static KeyedOneInputStreamOperatorTestHarness<String, LocatedRecord, LocatedRecord>
      harness(@Nullable OperatorSubtaskState state) throws Exception {
    KeyedOneInputStreamOperatorTestHarness<String, LocatedRecord, LocatedRecord> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new DistinctFunction()), LocatedRecord::user, Types.STRING);
    harness.setup(
        RecordTypes.LOCATED_RECORD.createSerializer(
            harness.getExecutionConfig().getSerializerConfig()));
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
    return harness;
  }

  private static void read(
      KeyedOneInputStreamOperatorTestHarness<String, LocatedRecord, LocatedRecord> harness,
      LocatedRecord record)
      throws Exception {
    harness.processElement(new StreamRecord<>(record, record.timestampMillis()));
  }
}
