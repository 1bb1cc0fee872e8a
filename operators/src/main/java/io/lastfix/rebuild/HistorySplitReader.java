package io.lastfix.rebuild;

import static java.util.Objects.requireNonNull;

import com.mongodb.MongoCursorNotFoundException;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.connection.ServerConnectionState;
import io.lastfix.kit.poll.Poll;
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
 * Reads the selected documents of one split after the other, in the order of {@code _id}, in a
 * thread that Flink provides beside the task's. The limits of {@link MongoOptions} end every wait
 * for the server. The read then fails, and Flink restarts the affected tasks.
 *
 * <p>It uses read concern majority: a document that a failover undoes must not become a user's last
 * known location. The {@link HistoryReading} decides which server answers, whatever the URI
 * prefers. If a secondary answers, it has what the primary had when this reader opened its first
 * cursor: the session is causally consistent, and so the secondary waits until it has replicated
 * that.
 */
final class HistorySplitReader implements SplitReader<BsonDocument, MongoSourceSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(HistorySplitReader.class);

  /** How long the first read from a secondary waits for servers that the driver has not reached. */
  private static final Duration DISCOVERY_TIMEOUT = Duration.ofSeconds(10);

  /** Documents per batch and per fetch; about half a megabyte. */
  private static final int BATCH = 4_000;

  private static final Bson BY_ID = Sorts.ascending("_id");

  private final MongoClient client;
  private final HistoryReading<?> reading;
  private final Bson filter;

  /** Includes {@code _id}, so that a message can name an invalid document. */
  private final Bson fields;

  private final Deque<MongoScanSourceSplit> splits = new ArrayDeque<>();
  private @Nullable MongoCursor<RawBsonDocument> cursor;

  /** The last document of the current split; null before the first. */
  private @Nullable RawBsonDocument lastRead;

  /** Of all reads; null before the first. */
  private @Nullable ClientSession session;

  HistorySplitReader(MongoOptions mongo, HistoryReading<?> reading) {
    this.reading = reading;
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
        lastRead = document;
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
      cursor =
          open(
              split,
              lastRead == null ? split.getMin() : new BsonDocument("_id", lastRead.get("_id")));
      return cursor.hasNext();
    }
  }

  /**
   * Opens a cursor in the order of {@code _id}. A server alone would return this order without the
   * sort, as it scans the index; a router would return the batches of the shards as they come, and
   * a read that continues after the last document would skip those of the slower shards.
   */
  private MongoCursor<RawBsonDocument> open(MongoScanSourceSplit split, BsonDocument min) {
    MongoCollection<RawBsonDocument> collection = collection(client, split, reading);
    return collection
        .find(
            session(collection),
            lastRead == null ? filter : Filters.and(filter, Filters.ne("_id", lastRead.get("_id"))))
        .projection(fields)
        .sort(BY_ID)
        .min(min)
        .max(split.getMax())
        .hint(split.getHint())
        .batchSize(BATCH)
        .cursor();
  }

  /** Returns the session of all reads. At the first call it takes the time from the primary. */
  private ClientSession session(MongoCollection<RawBsonDocument> collection) {
    ClientSession open = session;
    if (open == null) {
      open = client.startSession();
      session = open;
      if (collection.getReadPreference().isSecondaryOk()) {
        var unused =
            collection
                .withReadPreference(ReadPreference.primary())
                // With majority, the time would be that of the last write that a majority has.
                .withReadConcern(ReadConcern.LOCAL)
                .find(open)
                .projection(Projections.include("_id"))
                .first();
        awaitDiscovery();
      }
    }
    return open;
  }

  /**
   * Waits until the driver has tried each server once. While it has reached only the primary, it
   * would send the primary a read that prefers a secondary.
   */
  private void awaitDiscovery() {
    try {
      Poll.until(
          Duration.ofMillis(10),
          DISCOVERY_TIMEOUT,
          () -> client.getClusterDescription().getServerDescriptions(),
          servers ->
              servers.stream()
                  .noneMatch(
                      server ->
                          server.getState() == ServerConnectionState.CONNECTING
                              && server.getException() == null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MongoInterruptedException("Interrupted while looking for a secondary", e);
    }
  }

  static MongoCollection<RawBsonDocument> collection(
      MongoClient client, MongoScanSourceSplit split, HistoryReading<?> reading) {
    return client
        .getDatabase(split.getDatabase())
        .getCollection(split.getCollection(), RawBsonDocument.class)
        .withReadPreference(reading.readPreference())
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
    if (!ClosingWait.close(this::closeClient, "close-history-reader", ClosingWait.LIMIT)) {
      LOG.warn("A connection to History is still waiting for MongoDB; it ends at the read timeout");
    }
  }

  private void closeClient() {
    try (client) {
      closeCursor();
      if (session != null) {
        session.close();
      }
    }
  }
}
