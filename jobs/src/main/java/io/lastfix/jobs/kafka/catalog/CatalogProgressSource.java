package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.kafka.connector.DatedSplitSerializer;
import io.lastfix.jobs.kafka.connector.ForwardingSource;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
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
 * restore of an old checkpoint ({@link CatalogProgressReader}).
 */
public final class CatalogProgressSource<T, C> extends ForwardingSource<T, C> {
  private final CatalogGroup submission;
  private final RemovalRetention removals;

  /**
   * Wraps that source.
   *
   * @param removals how long the topic keeps removals
   */
  public <U extends Source<T, KafkaPartitionSplit, C> & ResultTypeQueryable<T>>
      CatalogProgressSource(U source, CatalogGroup submission, RemovalRetention removals) {
    super(source);
    this.submission = submission;
    this.removals = removals;
  }

  @Override
  protected SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new CatalogProgressReader<>(reader, context, removals, InstantSource.system());
  }

  @Override
  protected SimpleVersionedSerializer<KafkaPartitionSplit> wrap(
      SimpleVersionedSerializer<KafkaPartitionSplit> serializer) {
    return new DatedSplitSerializer(serializer, InstantSource.system());
  }

  @Override
  protected SplitEnumerator<KafkaPartitionSplit, C> wrap(
      SplitEnumerator<KafkaPartitionSplit, C> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new CatalogProgressEnumerator<>(enumerator, CatalogProgress.of(submission));
  }
}
