package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import io.lastfix.model.LocatedRecord;
import io.lastfix.provision.ProvisionException;
import io.lastfix.provision.ProvisionMode;
import io.lastfix.query.HistoryPartition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores every record once, in the collection of its period, located or not. A replay is a no-op.
 *
 * <p>A period's collection is made, indexed and sharded before its first insert, and the next one
 * ahead of time: see {@link HistoryProvisioner}. With a retention, and where it may provision, the
 * first subtask drops what is expired: see {@link RetentionTimer}. Delivers at least once, and
 * since writes are idempotent, the result is exactly once. See {@link HistoryDocumentConverter} for
 * the documents, {@link BulkSinkMetrics} for the metrics.
 */
public final class HistorySink implements Sink<LocatedRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(HistorySink.class);

  /** How long the end of a look at expired partitions waits for the server to say goodbye. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final HistoryOptions history;
  private final ProvisionMode provision;

  public HistorySink(
      MongoOptions mongo, BulkOptions bulks, HistoryOptions history, ProvisionMode provision) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.history = Objects.requireNonNull(history, "history");
    this.provision = Objects.requireNonNull(provision, "provision");
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    BulkSinkWriter<LocatedRecord> writer =
        MongoSinks.writer(
            context,
            new HistoryBatching(history),
            server(
                MongoClientFactory.createForSinks(mongo, bulks.maxBulksInFlight()),
                mongo.database(),
                history,
                provision,
                InstantSource.system()),
            bulks);
    HistoryRetention retention = history.retention();
    if (retention == null
        || provision != ProvisionMode.AUTO
        || context.getTaskInfo().getIndexOfThisSubtask() != 0) {
      return writer;
    }
    try {
      RetentionTimer timer =
          new RetentionTimer(
              dropped -> dropExpired(retention, dropped),
              context.getProcessingTimeService(),
              Executors.newSingleThreadExecutor(MongoSinks.threadFactory(context, "retention")),
              context.metricGroup());
      HistoryWriter both = new HistoryWriter(writer, timer);
      try {
        timer.start();
        return both;
      } catch (Throwable e) {
        Opened.closeAfter(e, timer);
        throw e;
      }
    } catch (Throwable e) {
      Opened.closeAfter(e, writer);
      throw e;
    }
  }

  /** Over a client of its own, for it is wanted once an hour. */
  private void dropExpired(HistoryRetention retention, Consumer<HistoryPartition> dropped)
      throws ProvisionException, ClocksDisagreeException {
    MongoClient client = MongoClientFactory.create(mongo, 1);
    try {
      HistoryPartitions partitions = new HistoryPartitions(client, mongo.database(), history);
      Instant now = DroppingTime.of(InstantSource.system(), partitions::serverTime);
      partitions.dropExpired(retention, now, dropped);
    } finally {
      if (!ClosingWait.close(client, "close-retention", CLOSE_TIMEOUT)) {
        LOG.warn("A connection of the retention still waits; it ends with the read timeout");
      }
    }
  }

  static MongoBulkServer<LocatedRecord> server(
      MongoClient client,
      String database,
      HistoryOptions history,
      ProvisionMode provision,
      InstantSource clock) {
    HistoryPartitions partitions = new HistoryPartitions(client, database, history);
    return new MongoBulkServer<>(
        client,
        client.getDatabase(database),
        new HistoryProvisioner(of(partitions, provision), history, clock),
        new HistoryDocumentConverter(),
        MongoBulkServer.DuplicateKeys.ARE_STORED);
  }

  private static PartitionProvisioner of(HistoryPartitions partitions, ProvisionMode mode) {
    return new PartitionProvisioner() {
      @Override
      public boolean provision(String partition) throws ProvisionException {
        return !partitions.ensure(partition, mode).isEmpty();
      }

      @Override
      public void refreshView() throws ProvisionException {
        if (mode == ProvisionMode.AUTO) {
          var unused = partitions.refreshView();
        }
      }
    };
  }

  @Override
  @Deprecated // By Flink, which calls the other one; this one must still be there.
  public SinkWriter<LocatedRecord> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
