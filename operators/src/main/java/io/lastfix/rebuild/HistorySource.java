package io.lastfix.rebuild;

import io.lastfix.sink.DriverThreads;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.TimeRange;
import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumState;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumStateSerializer;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumerator;
import org.apache.flink.connector.mongodb.source.reader.MongoSourceReader;
import org.apache.flink.connector.mongodb.source.reader.MongoSourceReaderContext;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * All records of some periods of History that a {@link HistoryReading} selects, in no particular
 * order. Records stored during the read may be included or not.
 *
 * <p>It combines parts of the source of {@code flink-connector-mongodb}: enumerator, reader, splits
 * and their serializers. Its own parts are the choice of splits ({@link HistorySplits}: any number
 * of collections in one source) and the cursor ({@link HistorySplitReader}: with the sinks'
 * client). jobs/RATIONALE.md explains why it is not {@code MongoSource}.
 *
 * <p>A document that violates the format fails the job; the message names collection and {@code
 * _id}.
 *
 * @param <T> the records
 * @param mongo connection to the server with History
 * @param range limits the first and the last period to its time
 * @param cuts times that divide days further, so that several subtasks read a day
 */
public record HistorySource<T>(
    MongoOptions mongo,
    List<HistoryPartition> partitions,
    TimeRange range,
    HistoryReading<T> reading,
    List<Instant> cuts)
    implements Source<T, MongoSourceSplit, MongoSourceEnumState>, ResultTypeQueryable<T> {
  public HistorySource {
    cuts = List.copyOf(cuts);
    partitions = List.copyOf(partitions);
  }

  /** Reads these periods, which must exist, a day at a time. */
  public HistorySource(
      MongoOptions mongo,
      List<HistoryPartition> partitions,
      TimeRange range,
      HistoryReading<T> reading) {
    this(mongo, partitions, range, reading, List.of());
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SplitEnumerator<MongoSourceSplit, MongoSourceEnumState> createEnumerator(
      SplitEnumeratorContext<MongoSourceSplit> context) {
    return enumerator(context, HistorySplits.of(mongo.database(), partitions, range, cuts));
  }

  @Override
  public SplitEnumerator<MongoSourceSplit, MongoSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<MongoSourceSplit> context, MongoSourceEnumState checkpoint) {
    return enumerator(context, checkpoint.getRemainingScanSplits());
  }

  private static MongoSourceEnumerator enumerator(
      SplitEnumeratorContext<MongoSourceSplit> context, List<MongoScanSourceSplit> splits) {
    return new MongoSourceEnumerator(
        Boundedness.BOUNDED, context, new HistorySplitAssigner(splits));
  }

  @Override
  public SourceReader<T, MongoSourceSplit> createReader(SourceReaderContext context) {
    DriverThreads.endWith(context.getUserCodeClassLoader());
    return new MongoSourceReader<>(
        new FutureCompletingBlockingQueue<>(),
        () -> new HistorySplitReader(mongo, reading),
        new HistoryRecordEmitter<>(reading),
        new MongoSourceReaderContext(context, -1));
  }

  @Override
  public SimpleVersionedSerializer<MongoSourceSplit> getSplitSerializer() {
    return MongoSourceSplitSerializer.INSTANCE;
  }

  @Override
  public SimpleVersionedSerializer<MongoSourceEnumState> getEnumeratorCheckpointSerializer() {
    return MongoSourceEnumStateSerializer.INSTANCE;
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return reading.type();
  }
}
