package io.lastfix.jobs.kafka;

import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** The catalogue's source, which keeps {@link CatalogProgress}. */
final class CatalogProgressSource<T> extends ForwardingSource<T> {
  private static final long serialVersionUID = 1L;

  private final CatalogGroup submission;

  CatalogProgressSource(PromptCommitSource<T> source, CatalogGroup submission) {
    super(source);
    this.submission = submission;
  }

  @Override
  SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new CatalogProgressReader<>(reader, context);
  }

  @Override
  SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> wrap(
      SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new CatalogProgressEnumerator<>(enumerator, CatalogProgress.of(submission));
  }
}
