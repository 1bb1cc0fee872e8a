package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.config.OnGap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A gap among the records of a partition. */
class GapAwareEmitterTest {
  private static final TopicPartition PARTITION = new TopicPartition("lastfix.location.json", 0);
  private static final OffsetGap GAP = new OffsetGap(PARTITION, 10, 13, 20, 13);

  private final CountersByName metrics = new CountersByName();
  private final EmittedRecords<Long> output = new EmittedRecords<>();
  private final List<OffsetGap> continuedBehind = new ArrayList<>();
  private final KafkaPartitionSplitState split =
      new KafkaPartitionSplitState(new KafkaPartitionSplit(PARTITION, 9));

  @Test
  void isCountedAndTheNextCheckpointIsBehindIt() throws Exception {
    GapAwareEmitter<Long> emitter = emitter(OnGap.CONTINUE);

    emitter.emitRecord(record(9), output, split);
    emitter.emitRecord(new OffsetGapRecord(GAP), output, split);

    assertThat(output.records()).containsExactly(9L);
    assertThat(split.toKafkaPartitionSplit().getStartingOffset()).isEqualTo(13);
    assertThat(metrics.count("sourceGaps")).isEqualTo(1);
    assertThat(metrics.count("sourceRecordsLost")).isEqualTo(3);
    assertThat(continuedBehind).containsExactly(GAP);

    emitter.emitRecord(record(13), output, split);
    assertThat(output.records()).containsExactly(9L, 13L);
    assertThat(split.getCurrentOffset()).isEqualTo(14);
  }

  @Test
  void endsTheJobWithoutARestartIfThatIsConfigured() throws Exception {
    GapAwareEmitter<Long> emitter = emitter(OnGap.FAIL);

    assertThatThrownBy(() -> emitter.emitRecord(new OffsetGapRecord(GAP), output, split))
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage(
            GAP.describe()
                + ". The job ends because of source.on-gap: fail. To continue after the gap: lastfix submit location --resume --set source.on-gap=continue");
    assertThat(split.getCurrentOffset()).isEqualTo(9);
    assertThat(metrics.count("sourceRecordsLost")).isEqualTo(3);
    assertThat(continuedBehind).as("the next attempt meets it again").isEmpty();
  }

  private GapAwareEmitter<Long> emitter(OnGap onGap) {
    return new GapAwareEmitter<>(
        (record, out, state) -> {
          out.collect(record.offset());
          state.setCurrentOffset(record.offset() + 1);
        },
        onGap,
        continuedBehind::add,
        "location",
        metrics);
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset) {
    return new ConsumerRecord<>(
        PARTITION.topic(), PARTITION.partition(), offset, new byte[0], new byte[0]);
  }

  /** Keeps counters, to be read by name. */
  private static final class CountersByName extends UnregisteredMetricsGroup {
    private final Map<String, Counter> counters = new HashMap<>();

    @Override
    public Counter counter(String name) {
      return counters.computeIfAbsent(name, super::counter);
    }

    long count(String name) {
      return counter(name).getCount();
    }
  }
}
