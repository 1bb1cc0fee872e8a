package io.lastfix.jobs.kafka;

import io.lastfix.locate.RemovalRetention;
import java.time.InstantSource;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The catalogue's source. It keeps {@link CatalogProgress}, and reads the catalogue anew after the
 * restore of an old checkpoint ({@link CatalogRereadReader}).
 */
final class CatalogProgressSource<T, C> extends ForwardingSource<T, C> {
  private final CatalogGroup submission;
  private final RemovalRetention removals;

  <U extends Source<T, KafkaPartitionSplit, C> & ResultTypeQueryable<T>> CatalogProgressSource(
      U source, CatalogGroup submission, RemovalRetention removals) {
    super(source);
    this.submission = submission;
    this.removals = removals;
  }

  @Override
  SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    // The outer reader, so that a discarded position is never reported.
    return new CatalogRereadReader<>(
        new CatalogProgressReader<>(reader, context), context, removals, InstantSource.system());
  }

  @Override
  SimpleVersionedSerializer<KafkaPartitionSplit> wrap(
      SimpleVersionedSerializer<KafkaPartitionSplit> serializer) {
    return new DatedSplitSerializer(serializer, InstantSource.system());
  }

  @Override
  SplitEnumerator<KafkaPartitionSplit, C> wrap(
      SplitEnumerator<KafkaPartitionSplit, C> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new CatalogProgressEnumerator<>(enumerator, CatalogProgress.of(submission));
  }
}
