package io.lastfix.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.parse.HeaderList;
import io.lastfix.parse.RawMessage;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class AppendTimeWatermarksTest {
  private static final long T = 1_795_176_000_000L;
  private static final long NEXT_YEAR = T + 31_536_000_000L;

  private final List<Long> emitted = new ArrayList<>();
  private final WatermarkStrategy<RawMessage> strategy = AppendTimeFunction.watermarks();
  private final TimestampAssigner<RawMessage> times =
      strategy.createTimestampAssigner(UnregisteredMetricsGroup::new);
  private final WatermarkGenerator<RawMessage> watermarks =
      strategy.createWatermarkGenerator(UnregisteredMetricsGroup::new);

  private final WatermarkOutput output =
      new WatermarkOutput() {
        @Override
        public void emitWatermark(Watermark watermark) {
          // The least is what Flink begins with: it moves nothing.
          if (watermark.getTimestamp() != Long.MIN_VALUE) {
            emitted.add(watermark.getTimestamp());
          }
        }

        @Override
        public void markIdle() {
          throw new AssertionError("a partition without messages holds the others back");
        }

        @Override
        public void markActive() {}
      };

  /** Reads a message; Flink's timestamp of it is Kafka's, whoever set that. */
  private void read(long appendMillis, long kafkaMillis) {
    RawMessage message =
        new RawMessage(
            "lastfix.heartbeats",
            0,
            0,
            null,
            -1,
            null,
            -1,
            appendMillis,
            RawMessage.UNKNOWN_TIME,
            HeaderList.NONE);
    watermarks.onEvent(message, times.extractTimestamp(message, kafkaMillis), output);
    watermarks.onPeriodicEmit(output);
  }

  @Test
  void theWatermarkIsJustBeforeTheGreatestAppendTime() {
    watermarks.onPeriodicEmit(output);
    read(T, T);
    read(T - 10, T - 10);
    read(T + 10, T + 10);

    assertThat(emitted).containsExactly(T - 1, T - 1, T + 9);
  }

  @Test
  void aTimeThatItsProducerChoseMovesNothing() {
    read(RawMessage.UNKNOWN_TIME, NEXT_YEAR);
    read(T, T);
    read(RawMessage.UNKNOWN_TIME, NEXT_YEAR);

    assertThat(emitted).containsExactly(T - 1, T - 1);
  }
}
