package io.lastfix.jobs.kafka.connector;

import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * Flink's Kafka source, which commits a checkpoint's offsets as soon as the checkpoint is complete,
 * even on a quiet topic. Flink's own source may commit them up to ten seconds later. The
 * checkpoint's format is Flink's own.
 */
public final class QuietTopicCommitSource<T> extends ForwardingSource<T, KafkaSourceEnumState> {
  /** Wraps that source. */
  public <S extends Source<T, KafkaPartitionSplit, KafkaSourceEnumState> & ResultTypeQueryable<T>>
      QuietTopicCommitSource(S source) {
    super(source);
  }

  @Override
  protected SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new QuietTopicCommitReader<>(reader);
  }
}
