package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.CatalogTimeout;
import io.lastfix.jobs.kafka.CatalogEnds.End;
import java.io.Serializable;
import java.util.Map;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * The source of location records, which gives out none before the catalogue of the same submission,
 * as it stands at this start or restore, is in the join's state. Otherwise a record could meet an
 * entry of its cell that a later one has overtaken, and be stored with a place that was not true at
 * its moment. The catalogue's source is {@link CatalogProgressSource}; RATIONALE.md tells why it is
 * done so.
 */
final class StartAfterCatalogSource<T, C> extends ForwardingSource<T, C> {
  private static final long serialVersionUID = 1L;

  private final String topic;
  private final Ends ends;
  private final CatalogGroup submission;
  private final CatalogTimeout timeout;

  /**
   * Around that source.
   *
   * @param topic the catalogue's, for messages
   * @param ends finds out where it ends
   */
  <U extends Source<T, KafkaPartitionSplit, C> & ResultTypeQueryable<T>> StartAfterCatalogSource(
      U source, String topic, Ends ends, CatalogGroup submission, CatalogTimeout timeout) {
    super(source);
    this.topic = topic;
    this.ends = ends;
    this.submission = submission;
    this.timeout = timeout;
  }

  /** {@link CatalogEnds#look}, or what stands in its place in a test. */
  interface Ends extends Serializable {
    Map<Integer, End> look(Map<Integer, End> known);
  }

  @Override
  SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new StartAfterCatalogReader<>(reader, context);
  }

  @Override
  SplitEnumerator<KafkaPartitionSplit, C> wrap(
      SplitEnumerator<KafkaPartitionSplit, C> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new StartAfterCatalogEnumerator<>(
        enumerator,
        context,
        CatalogProgress.of(submission),
        ends::look,
        topic,
        timeout,
        System::nanoTime);
  }
}
