package io.lastfix.jobs.kafka;

import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** The catalogue's source, which keeps {@link CatalogProgress}. */
final class CatalogProgressSource<T, C> extends ForwardingSource<T, C> {
  private static final long serialVersionUID = 1L;

  private final CatalogGroup submission;

  <U extends Source<T, KafkaPartitionSplit, C> & ResultTypeQueryable<T>> CatalogProgressSource(
      U source, CatalogGroup submission) {
    super(source);
    this.submission = submission;
  }

  @Override
  SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new CatalogProgressReader<>(reader, context);
  }

  @Override
  SplitEnumerator<KafkaPartitionSplit, C> wrap(
      SplitEnumerator<KafkaPartitionSplit, C> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new CatalogProgressEnumerator<>(enumerator, CatalogProgress.of(submission));
  }
}
