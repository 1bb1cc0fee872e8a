package io.lastfix.jobs.kafka.connector;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A Kafka source whose reader and enumerator a subclass wraps or replaces. The checkpoint's format
 * stays that of the wrapped source, unless the subclass wraps its serializer. A broker that is down
 * while the source queries new partitions does not fail the job ({@link RetryingDiscovery}).
 */
public abstract class ForwardingSource<T, C>
    implements Source<T, KafkaPartitionSplit, C>, ResultTypeQueryable<T> {
  private final Source<T, KafkaPartitionSplit, C> source;
  private final TypeInformation<T> type;

  /** Wraps that source. */
  protected <U extends Source<T, KafkaPartitionSplit, C> & ResultTypeQueryable<T>> ForwardingSource(
      U source) {
    this.source = source;
    type = source.getProducedType();
  }

  /** Wraps the reader of one subtask; by default returns it unchanged. */
  protected SourceReader<T, KafkaPartitionSplit> wrap(
      SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    return reader;
  }

  /** Wraps the enumerator; by default returns it unchanged. */
  protected SplitEnumerator<KafkaPartitionSplit, C> wrap(
      SplitEnumerator<KafkaPartitionSplit, C> enumerator,
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return enumerator;
  }

  /**
   * The context that the connector's own enumerator calls, whose source the innermost one wraps.
   */
  private SplitEnumeratorContext<KafkaPartitionSplit> retrying(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return source instanceof ForwardingSource<?, ?> ? context : new RetryingDiscovery(context);
  }

  /** Wraps the serializer of splits; by default returns it unchanged. */
  protected SimpleVersionedSerializer<KafkaPartitionSplit> wrap(
      SimpleVersionedSerializer<KafkaPartitionSplit> serializer) {
    return serializer;
  }

  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return wrap(source.createReader(context), context);
  }

  @Override
  public final SplitEnumerator<KafkaPartitionSplit, C> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) throws Exception {
    return wrap(source.createEnumerator(retrying(context)), context);
  }

  @Override
  public final SplitEnumerator<KafkaPartitionSplit, C> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, C checkpoint) throws Exception {
    return wrap(source.restoreEnumerator(retrying(context), checkpoint), context);
  }

  @Override
  public final Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public final SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return wrap(source.getSplitSerializer());
  }

  @Override
  public final SimpleVersionedSerializer<C> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public final TypeInformation<T> getProducedType() {
    return type;
  }
}
