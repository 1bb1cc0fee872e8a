package io.lastfix.bench.servers;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.failure.RootCause;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;

/**
 * Writes records directly to MongoDB, as the reference for the job: without Kafka, XML, a join with
 * cells, or a delivery guarantee. The documents, indexes, write concern and the driver's settings
 * are the job's.
 *
 * <p>Most forms write once a record; {@link Form#BOTH_JOINED} joins a user's writes as the sink
 * does.
 */
public final class Loader {
  /** The largest bulk size that measurably increases the rate. */
  public static final int BULK = 1_000;

  private static final int DUPLICATE_KEY = 11000;
  private static final String PILOT_COLLECTION = "pilot_last_known_location";
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  /** The collections written for each record, and how. */
  public enum Form {
    HISTORY("History: insert, in bulks"),
    LAST_KNOWN_LOCATION("Last Known Location: $max, in bulks"),
    BOTH("both, never joining writes"),
    BOTH_JOINED("both, joining a user's writes as the sink does"),
    BOTH_RETRYABLE("both, never joining writes, with the driver's retryable writes"),
    PILOT_BULK("the pilot's conditional upsert, in bulks"),
    PILOT_SINGLE("the pilot's conditional upsert, one by one");

    private final String words;

    Form(String words) {
      this.words = words;
    }

    /** The form for people. */
    public String words() {
      return words;
    }
  }

  private final LocationJobConfig config;
  private final BenchDatabase store;
  private final int threads;
  private final int subtasks;

  /**
   * @param threads that write at the same time, one bulk each
   * @param subtasks of the sink whose joining is reproduced
   */
  public Loader(LocationJobConfig config, BenchDatabase store, int threads, int subtasks) {
    this.config = config;
    this.store = store;
    this.threads = threads;
    this.subtasks = subtasks;
  }

  /** Creates the collections with their indexes, as the job does, so that only writing is timed. */
  public void provision(List<LocatedRecord> records) throws ProvisionException {
    List<String> partitions = records.stream().map(this::partition).distinct().toList();
    for (String partition : partitions) {
      var unused = store.partitions().ensure(partition, ProvisionMode.AUTO);
    }
    var unused =
        new Provisioner(store.client(), BenchDatabase.DATABASE)
            .ensure(config.lastKnownLocation().description(), ProvisionMode.AUTO);
  }

  private String partition(LocatedRecord record) {
    return config.history().collectionAt(record.timestampMillis());
  }

  /** Writes all records, and returns when the server has acknowledged all. */
  public void load(List<LocatedRecord> records, Form form) throws InterruptedException {
    List<Runnable> tasks = new ArrayList<>();
    int step = form == Form.PILOT_SINGLE ? 1 : BULK;
    JoinedWrites joined = new JoinedWrites(subtasks, config.lastKnownLocationBulks());
    MongoDatabase sinks = store.sinkDatabase();
    for (int from = 0; from < records.size(); from += step) {
      List<LocatedRecord> chunk = records.subList(from, Math.min(records.size(), from + step));
      switch (form) {
        case HISTORY -> tasks.add(() -> insert(sinks, chunk));
        case LAST_KNOWN_LOCATION -> tasks.add(() -> update(sinks, chunk));
        case BOTH -> {
          tasks.add(() -> insert(sinks, chunk));
          tasks.add(() -> update(sinks, chunk));
        }
        case BOTH_JOINED -> {
          tasks.add(() -> insert(sinks, chunk));
          tasks.add(() -> chunk.forEach(record -> update(sinks, joined.add(record))));
        }
        case BOTH_RETRYABLE -> {
          tasks.add(() -> insert(store.database(), chunk));
          tasks.add(() -> update(store.database(), chunk));
        }
        case PILOT_BULK -> tasks.add(() -> upsertInBulk(chunk));
        case PILOT_SINGLE -> tasks.add(() -> upsert(chunk.get(0)));
      }
    }
    runAll(tasks);
    runAll(joined.rest().stream().map(bulk -> (Runnable) () -> update(sinks, bulk)).toList());
  }

  /** Runs the tasks in order, each on the first free thread. */
  private void runAll(List<Runnable> tasks) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      AtomicInteger next = new AtomicInteger();
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(
            pool.submit(
                () -> {
                  for (int task = next.getAndIncrement();
                      task < tasks.size();
                      task = next.getAndIncrement()) {
                    tasks.get(task).run();
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the loader's write failed: " + RootCause.message(e), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static MongoCollection<BsonDocument> collection(MongoDatabase database, String name) {
    return database.getCollection(name, BsonDocument.class);
  }

  private void insert(MongoDatabase database, List<LocatedRecord> chunk) {
    chunk.stream()
        .collect(Collectors.groupingBy(this::partition))
        .forEach(
            (partition, records) ->
                collection(database, partition)
                    .bulkWrite(writes(records, new HistoryDocumentConverter()), UNORDERED));
  }

  private void update(MongoDatabase database, List<LocatedRecord> chunk) {
    if (!chunk.isEmpty()) {
      collection(database, config.lastKnownLocation().collection())
          .bulkWrite(writes(chunk, new LastKnownLocationConverter()), UNORDERED);
    }
  }

  private static List<WriteModel<BsonDocument>> writes(
      List<LocatedRecord> records, Function<LocatedRecord, WriteModel<BsonDocument>> converter) {
    return records.stream().map(converter).collect(Collectors.toCollection(ArrayList::new));
  }

  private void upsertInBulk(List<LocatedRecord> chunk) {
    List<ReplaceOneModel<BsonDocument>> writes = new ArrayList<>(chunk.size());
    for (LocatedRecord record : chunk) {
      writes.add(new ReplaceOneModel<>(olderThan(record), pilotDocument(record), upsertIfOlder()));
    }
    try {
      collection(store.sinkDatabase(), PILOT_COLLECTION).bulkWrite(writes, UNORDERED);
    } catch (MongoBulkWriteException e) {
      // The pilot took this error for "the stored one is newer"; DESIGN.md names its other causes.
      if (e.getWriteErrors().stream().anyMatch(error -> error.getCode() != DUPLICATE_KEY)) {
        throw e;
      }
    }
  }

  private void upsert(LocatedRecord record) {
    try {
      collection(store.sinkDatabase(), PILOT_COLLECTION)
          .replaceOne(olderThan(record), pilotDocument(record), upsertIfOlder());
    } catch (MongoWriteException e) {
      if (e.getCode() != DUPLICATE_KEY) {
        throw e;
      }
    }
  }

  private static ReplaceOptions upsertIfOlder() {
    return new ReplaceOptions().upsert(true);
  }

  private static BsonDocument olderThan(LocatedRecord record) {
    return new BsonDocument("_id", new BsonString(record.user()))
        .append("ts", new BsonDocument("$lt", new BsonDateTime(record.timestampMillis())));
  }

  private static BsonDocument pilotDocument(LocatedRecord record) {
    BsonDocument document =
        new BsonDocument("_id", new BsonString(record.user()))
            .append("ts", new BsonDateTime(record.timestampMillis()))
            .append("cell", new BsonString(Objects.toString(record.cell(), "")));
    if (record.position() != null) {
      document
          .append("lat", new BsonDouble(record.position().lat()))
          .append("lon", new BsonDouble(record.position().lon()));
    }
    return document;
  }
}
