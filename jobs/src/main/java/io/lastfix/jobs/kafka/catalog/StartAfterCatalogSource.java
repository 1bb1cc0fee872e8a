package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.config.CatalogTimeout;
import io.lastfix.jobs.kafka.catalog.CatalogEnds.End;
import io.lastfix.jobs.kafka.connector.ForwardingSource;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
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
 * The source of location records. It emits no record before the join's state holds the catalogue,
 * as of this start or restore, of the same submission. Otherwise a record could meet an outdated
 * entry of its cell, and be stored with a wrong position.
 *
 * <p>The catalogue's source is {@link CatalogProgressSource}; docs/decisions/jobs.md gives the
 * reasons for this design.
 */
public final class StartAfterCatalogSource<T, C> extends ForwardingSource<T, C> {
  private final String topic;
  private final Ends ends;
  private final CatalogGroup submission;
  private final CatalogTimeout timeout;

  /**
   * Wraps that source.
   *
   * @param topic the catalogue's topic, for messages
   * @param ends finds the catalogue's ends
   */
  public <U extends Source<T, KafkaPartitionSplit, C> & ResultTypeQueryable<T>>
      StartAfterCatalogSource(
          U source, String topic, Ends ends, CatalogGroup submission, CatalogTimeout timeout) {
    super(source);
    this.topic = topic;
    this.ends = ends;
    this.submission = submission;
    this.timeout = timeout;
  }

  /** {@link CatalogEnds#find}, or a test's replacement. */
  public interface Ends extends Serializable {
    /** The ends by partition; see {@link CatalogEnds#find}. */
    Map<Integer, End> find(Map<Integer, End> known);
  }

  @Override
  protected SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return new StartAfterCatalogReader<>(reader, context);
  }

  @Override
  protected SplitEnumerator<KafkaPartitionSplit, C> wrap(
      SplitEnumerator<KafkaPartitionSplit, C> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new StartAfterCatalogEnumerator<>(
        enumerator,
        context,
        CatalogProgress.of(submission),
        ends::find,
        topic,
        timeout,
        System::nanoTime);
  }
}
