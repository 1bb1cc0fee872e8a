package io.lastfix.rebuild;

import static java.util.Objects.requireNonNull;

import com.mongodb.MongoCursorNotFoundException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the selected documents of one split after the other, in the order of {@code _id}, in a
 * thread that Flink provides beside the task's. The limits of {@link MongoOptions} end every wait
 * for the server. The read then fails, and Flink restarts the affected tasks.
 *
 * <p>It uses read concern majority: a document that a failover undoes must not become a user's last
 * known location. It reads from the primary, whatever the URI prefers: a secondary may lag behind
 * by hours.
 */
final class HistorySplitReader implements SplitReader<BsonDocument, MongoSourceSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(HistorySplitReader.class);

  /** How long {@link #close} waits for the driver to close the connection. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** Documents per batch and per fetch; about half a megabyte. */
  private static final int BATCH = 4_000;

  private static final Bson BY_ID = Sorts.ascending("_id");

  private final MongoClient client;
  private final Bson filter;

  /** Includes {@code _id}, so that a message can name an invalid document. */
  private final Bson fields;

  private final Deque<MongoScanSourceSplit> splits = new ArrayDeque<>();
  private @Nullable MongoCursor<RawBsonDocument> cursor;

  /** The {@code _id} of the last document of the current split; null before the first. */
  private @Nullable BsonValue lastRead;

  HistorySplitReader(MongoOptions mongo, HistoryReading<?> reading) {
    this.filter = reading.filter();
    this.fields = Projections.include(reading.fields());
    this.client = MongoClientFactory.create(mongo, 1);
  }

  @Override
  public void handleSplitsChanges(SplitsChange<MongoSourceSplit> change) {
    change.splits().forEach(split -> splits.add((MongoScanSourceSplit) split));
  }

  @Override
  public RecordsWithSplitIds<BsonDocument> fetch() throws IOException {
    RecordsBySplits.Builder<BsonDocument> records = new RecordsBySplits.Builder<>();
    MongoScanSourceSplit split = splits.peek();
    if (split == null) {
      return records.build();
    }
    try {
      if (cursor == null) {
        cursor = open(split, split.getMin());
      }
      int count = 0;
      while (count < BATCH && hasNext(split)) {
        RawBsonDocument document = requireNonNull(cursor).next();
        records.add(split, document);
        lastRead = document.get("_id");
        count++;
      }
      if (count < BATCH) {
        closeCursor();
        lastRead = null;
        splits.remove();
        records.addFinishedSplit(split.splitId());
      }
    } catch (MongoException e) {
      throw new IOException(
          "Reading collection %s failed (code %d)".formatted(split.getCollection(), e.getCode()),
          e);
    }
    return records.build();
  }

  /**
   * Returns whether the split has a further document. The server forgets a cursor that was not used
   * for ten minutes, as may happen while the job reads another source first: the read then
   * continues after the last document.
   */
  private boolean hasNext(MongoScanSourceSplit split) {
    try {
      return requireNonNull(cursor).hasNext();
    } catch (MongoCursorNotFoundException e) {
      LOG.info("MongoDB has closed an idle cursor on {}; continuing", split.getCollection(), e);
      closeCursor();
      cursor = open(split, lastRead == null ? split.getMin() : new BsonDocument("_id", lastRead));
      return cursor.hasNext();
    }
  }

  /**
   * Opens a cursor in the order of {@code _id}. A server alone would return this order without the
   * sort, as it scans the index; a router would return the batches of the shards as they come, and
   * a read that continues after the last document would skip those of the slower shards.
   */
  private MongoCursor<RawBsonDocument> open(MongoScanSourceSplit split, BsonDocument min) {
    return collection(client, split)
        .find(lastRead == null ? filter : Filters.and(filter, Filters.ne("_id", lastRead)))
        .projection(fields)
        .sort(BY_ID)
        .min(min)
        .max(split.getMax())
        .hint(split.getHint())
        .batchSize(BATCH)
        .cursor();
  }

  static MongoCollection<RawBsonDocument> collection(
      MongoClient client, MongoScanSourceSplit split) {
    return client
        .getDatabase(split.getDatabase())
        .getCollection(split.getCollection(), RawBsonDocument.class)
        .withReadPreference(ReadPreference.primary())
        .withReadConcern(ReadConcern.MAJORITY);
  }

  /** A fetch waits for at most one batch, and that wait has a time limit. */
  @Override
  public void wakeUp() {}

  private void closeCursor() {
    MongoCursor<RawBsonDocument> open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    if (!ClosingWait.close(this::closeClient, "close-history-reader", CLOSE_TIMEOUT)) {
      LOG.warn("A connection to History is still waiting for MongoDB; it ends at the read timeout");
    }
  }

  private void closeClient() {
    try (client) {
      closeCursor();
    }
  }
}
