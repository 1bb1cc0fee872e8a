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
 * Reads the located documents of one split after the other, in the order of {@code _id}, in a
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

  private static final Bson LOCATED = Filters.exists("loc");

  /** Includes {@code _id}, so that a message can name an invalid document. */
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
