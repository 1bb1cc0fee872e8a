package io.lastfix.jobs.kafka;

import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * Flink's Kafka source, which commits a checkpoint's offsets as soon as the checkpoint is complete,
 * even on a quiet topic. Flink's own source may commit them up to ten seconds later. A broker that
 * is down while the source queries new partitions does not fail the job ({@link
 * RetryingDiscovery}). The checkpoint's format is Flink's own.
 */
final class QuietTopicCommitSource<T> extends ForwardingSource<T, KafkaSourceEnumState> {
  <S extends Source<T, KafkaPartitionSplit, KafkaSourceEnumState> & ResultTypeQueryable<T>>
      QuietTopicCommitSource(S source) {
    super(source);
  }

  @Override
  SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new QuietTopicCommitReader<>(reader);
  }

  @Override
  SplitEnumeratorContext<KafkaPartitionSplit> wrap(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new RetryingDiscovery(context);
  }
}
