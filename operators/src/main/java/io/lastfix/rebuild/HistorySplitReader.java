package io.lastfix.rebuild;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
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
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the located documents of one split after the other, in the order of {@code _id}, on a
 * thread of Flink's own beside the task's. Every wait for the server ends with the limits of {@link
 * MongoOptions}; it then fails, and Flink restarts what it must.
 *
 * <p>Reads what a majority has: a document that a failover takes back must not become somebody's
 * last known location. And from the primary, whatever the URI prefers: a secondary may lag behind
 * by hours.
 */
final class HistorySplitReader implements SplitReader<BsonDocument, MongoSourceSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(HistorySplitReader.class);

  /** How long {@link #close} waits for the server to say goodbye. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** Documents of one answer and of one fetch; about half a megabyte. */
  private static final int BATCH = 4_000;

  private static final Bson LOCATED = Filters.exists("loc");

  /** With {@code _id}, so that a document that is none of ours can be named. */
  private static final Bson FIELDS = Projections.include("user", "ts", "cell", "loc");

  private final MongoClient client;
  private final Deque<MongoScanSourceSplit> splits = new ArrayDeque<>();
  private @Nullable MongoCursor<RawBsonDocument> cursor;

  HistorySplitReader(MongoOptions mongo) {
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
      MongoCursor<RawBsonDocument> open = cursor == null ? open(split) : cursor;
      cursor = open;
      int count = 0;
      while (count < BATCH && open.hasNext()) {
        records.add(split, open.next());
        count++;
      }
      if (count < BATCH) {
        closeCursor();
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

  private MongoCursor<RawBsonDocument> open(MongoScanSourceSplit split) {
    return collection(client, split)
        .find(LOCATED)
        .projection(FIELDS)
        .min(split.getMin())
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

  /** A fetch waits for one answer at most, and that is bounded. */
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
      LOG.warn("A connection to History still waits; it ends with the read timeout");
    }
  }

  private void closeClient() {
    try (client) {
      closeCursor();
    }
  }
}
