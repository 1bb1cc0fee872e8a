package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.CatalogTimeout;
import io.lastfix.jobs.config.KafkaOptions;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * The source of location records, which gives out none before the catalogue of the same submission,
 * as it stands at this start or restore, is in the join's state. Otherwise a record could meet an
 * entry of its cell that a later one has overtaken, and be stored with a place that was not true at
 * its moment. The catalogue's source is {@link CatalogProgressSource}; RATIONALE.md tells why it is
 * done so.
 */
final class StartAfterCatalogSource<T> extends ForwardingSource<T> {
  private static final long serialVersionUID = 1L;

  private final KafkaOptions kafka;
  private final CatalogGroup submission;
  private final CatalogTimeout timeout;

  StartAfterCatalogSource(
      PromptCommitSource<T> source,
      KafkaOptions kafka,
      CatalogGroup submission,
      CatalogTimeout timeout) {
    super(source);
    this.kafka = kafka;
    this.submission = submission;
    this.timeout = timeout;
  }

  @Override
  SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new StartAfterCatalogReader<>(reader, context);
  }

  @Override
  SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> wrap(
      SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new StartAfterCatalogEnumerator<>(
        enumerator,
        context,
        CatalogProgress.of(submission),
        new CatalogEnds(kafka)::look,
        kafka.cellsTopic(),
        timeout,
        System::nanoTime);
  }
}
