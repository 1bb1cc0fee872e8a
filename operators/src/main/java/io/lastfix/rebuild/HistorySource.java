package io.lastfix.rebuild;

import io.lastfix.sink.DriverThreads;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryDocument;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumState;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumStateSerializer;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumerator;
import org.apache.flink.connector.mongodb.source.enumerator.assigner.MongoScanSplitAssigner;
import org.apache.flink.connector.mongodb.source.reader.MongoSourceReader;
import org.apache.flink.connector.mongodb.source.reader.MongoSourceReaderContext;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplitSerializer;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplitState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.bson.BsonDocument;

/**
 * All records of some periods of History that a {@link HistoryReading} selects, in no particular
 * order. Records stored during the read may be included or not.
 *
 * <p>It combines parts of the source of {@code flink-connector-mongodb}: enumerator, assigner,
 * reader, splits and their serializers. Its own parts are the choice of splits ({@link
 * HistorySplits}: any number of collections in one source) and the cursor ({@link
 * HistorySplitReader}: with the sinks' client). docs/decisions/jobs.md explains why it is not
 * {@code MongoSource}.
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
    return restoreEnumerator(
        context,
        new MongoSourceEnumState(
            List.of(),
            List.of(),
            new ArrayList<>(HistorySplits.of(mongo.database(), partitions, range, cuts)),
            new HashMap<>(),
            true));
  }

  /**
   * All splits are known from the start, so the assigner of version 1.1.0 of the connector uses
   * neither options nor a client. It takes splits from the list of the state.
   */
  @Override
  public SplitEnumerator<MongoSourceSplit, MongoSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<MongoSourceSplit> context, MongoSourceEnumState checkpoint) {
    return new MongoSourceEnumerator(
        Boundedness.BOUNDED, context, new MongoScanSplitAssigner(null, null, checkpoint));
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

  /**
   * Emits documents as records. It keeps no position in a split: after a failure Flink rereads the
   * split from its start, and duplicates change nothing.
   */
  record HistoryRecordEmitter<T>(HistoryReading<T> reading)
      implements RecordEmitter<BsonDocument, T, MongoSourceSplitState> {
    @Override
    public void emitRecord(
        BsonDocument document, SourceOutput<T> output, MongoSourceSplitState split)
        throws IOException {
      T record;
      try {
        record = reading.reader().apply(document);
      } catch (IllegalArgumentException e) {
        throw new IOException(
            ("Collection %s, _id %s is not a document of History: %s. Correct or remove it, and run"
                    + " this job again")
                .formatted(
                    collection(split), HistoryDocument.describeId(document), e.getMessage()));
      }
      output.collect(record);
    }

    private static String collection(MongoSourceSplitState split) {
      return ((MongoScanSourceSplit) split.toMongoSourceSplit()).getCollection();
    }
  }
}
