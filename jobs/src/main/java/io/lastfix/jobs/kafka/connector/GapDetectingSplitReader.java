package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.KafkaRequestException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaPartitionSplitReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches as Flink's own split reader does, but reports an offset that a partition does not have,
 * instead of skipping it.
 *
 * <p>Kafka's client has no reset policy here ({@code auto.offset.reset=none}), so it throws an
 * exception instead of moving on. Compaction and transaction markers leave holes as well, but a
 * fetch at such an offset does not fail, so they never count as a gap. After a gap, the reader
 * continues at the partition's first offset or, if the log was truncated, at its position.
 *
 * <p>A partition without a committed offset is read from its beginning.
 *
 * <p>Flink calls it on the fetcher's thread.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
class GapDetectingSplitReader extends KafkaPartitionSplitReader {
  private static final Logger LOG = LoggerFactory.getLogger(GapDetectingSplitReader.class);

  private final KafkaOptions kafka;

  /**
   * @param properties of the consumer
   * @param kafka the brokers
   */
  GapDetectingSplitReader(
      Properties properties,
      KafkaOptions kafka,
      SourceReaderContext context,
      KafkaSourceReaderMetrics metrics) {
    super(with(properties, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"), context, metrics);
    this.kafka = kafka;
  }

  /** Returns a copy of the properties with one more, or with another value of it. */
  static Properties with(Properties properties, String key, String value) {
    Properties own = new Properties();
    own.putAll(properties);
    own.setProperty(key, value);
    return own;
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    try {
      return super.fetch();
    } catch (OffsetOutOfRangeException e) {
      return passGaps(e);
    } catch (NoOffsetForPartitionException e) {
      readFromTheBeginning(e.partitions());
      return nothing();
    }
  }

  @Override
  public void handleSplitsChanges(SplitsChange<KafkaPartitionSplit> change) {
    try {
      super.handleSplitsChanges(change);
    } catch (NoOffsetForPartitionException e) {
      // Thrown after the assignment, when the reader queries the partitions' positions.
      readFromTheBeginning(e.partitions());
    }
  }

  private void readFromTheBeginning(Collection<TopicPartition> partitions) {
    moveTo(
        partitions.stream()
            .map(
                partition ->
                    new KafkaPartitionSplit(partition, KafkaPartitionSplit.EARLIEST_OFFSET))
            .toList());
  }

  /** Moves the positions: adding a split that exists already only sets its position. */
  private void moveTo(List<KafkaPartitionSplit> splits) {
    super.handleSplitsChanges(new SplitsAddition<>(splits));
  }

  private static RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> nothing() {
    return new RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>>().build();
  }

  private RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> passGaps(OffsetOutOfRangeException e)
      throws IOException {
    Map<TopicPartition, Long> expected = e.offsetOutOfRangePartitions();
    Map<TopicPartition, OffsetAndMetadata> divergent =
        e instanceof LogTruncationException truncation ? truncation.divergentOffsets() : Map.of();
    RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>> gaps = new RecordsBySplits.Builder<>();
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      Map<TopicPartition, Range> ranges = new ConsumerLag(admin).rangesOf(expected.keySet());
      List<KafkaPartitionSplit> moved = new ArrayList<>();
      expected.forEach(
          (partition, offset) -> {
            Range range = ranges.get(partition);
            OffsetGap gap =
                gap(partition, offset, range.begin(), range.end(), divergent.get(partition));
            moved.add(new KafkaPartitionSplit(partition, gap.resumeAt()));
            if (gap.resumeAt() != offset) {
              gaps.add(KafkaPartitionSplit.toSplitId(partition), new OffsetGapRecord(gap));
            }
          });
      // All at once, because the query of one partition's position fails while another has none.
      moveTo(moved);
      return gaps.build();
    } catch (InterruptedIOException interrupted) {
      throw new IOException("Interrupted while querying the offsets of " + expected, interrupted);
    } catch (IOException failure) {
      if (failure instanceof KafkaRequestException refused
          && !(refused.getCause() instanceof RetriableException)) {
        throw new IOException(
            "Kafka does not have the offsets %s, and failed to return the ones that it has: %s"
                .formatted(expected, KafkaFailure.explain(refused.getCause())),
            refused.getCause());
      }
      LOG.warn(
          "Kafka does not have the offsets {}, and did not return the ones that it has: retrying",
          expected,
          failure);
      return nothing();
    }
  }

  /**
   * Computes where to resume. A fetch from a replica that is behind fails too, and is only
   * repeated.
   */
  static OffsetGap gap(
      TopicPartition partition,
      long expected,
      long begin,
      long end,
      @Nullable OffsetAndMetadata divergent) {
    long resumeAt;
    if (expected < begin) {
      resumeAt = begin;
    } else if (divergent != null) {
      resumeAt = Math.max(begin, divergent.offset());
    } else {
      resumeAt = expected > end ? begin : expected;
    }
    return new OffsetGap(partition, expected, begin, end, resumeAt);
  }
}
