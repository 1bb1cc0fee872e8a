package io.lastfix.sink;

import com.mongodb.client.MongoClient;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.connect.ClosingWait;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.Resources;
import io.lastfix.store.history.ClocksDisagreeException;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.PartitionExpiry;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores every record once, in the collection of its period, with or without a position. A replay
 * changes nothing, unless it brings a missing position: see {@link HistoryDocumentConverter}.
 *
 * <p>The sink creates, indexes and shards a period's collection before its first insert, and the
 * next one ahead of time: see {@link HistoryProvisioner}. If the sink may provision, its first
 * subtask keeps the view up to date and, with a retention, drops expired partitions: see {@link
 * ViewRefresher} and {@link RetentionTimer}. Delivery is at least once; since writes are
 * idempotent, the result is exactly once. See {@link HistoryDocumentConverter} for the documents,
 * {@link BulkSinkMetrics} for the metrics.
 */
public record HistorySink(
    MongoOptions mongo, BulkOptions bulks, HistoryOptions history, ProvisionMode provision)
    implements WriterSink<LocatedRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(HistorySink.class);

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
    BulkSinkWriter<LocatedRecord> writer =
        MongoSinks.writer(
            context,
            new HistoryBatching(history),
            server(
                MongoClientFactory.createForSinks(mongo, MongoSinks.connections(bulks)),
                mongo.database(),
                history,
                provision,
                InstantSource.system(),
                bulks.retryTimeout()),
            bulks);
    if (provision != ProvisionMode.AUTO || context.getTaskInfo().getIndexOfThisSubtask() != 0) {
      return writer;
    }
    try {
      HistoryRetention retention = history.retention();
      if (retention != null) {
        RetentionTimer timer = retentionTimer(context, retention);
        writer.closeToo(timer);
        timer.start();
      }
      if (history.viewDescription().isPresent()) {
        ViewRefresher refresher = viewRefresher(context);
        writer.closeToo(refresher);
        refresher.start();
      }
      return writer;
    } catch (Throwable e) {
      Resources.closeAfter(e, writer);
      throw e;
    }
  }

  private RetentionTimer retentionTimer(WriterInitContext context, HistoryRetention retention) {
    return new RetentionTimer(
        dropped -> dropExpired(retention, dropped),
        context.getProcessingTimeService(),
        Executors.newSingleThreadExecutor(MongoSinks.threadFactory(context, "retention")),
        context.metricGroup());
  }

  private ViewRefresher viewRefresher(WriterInitContext context) {
    MongoClient client = MongoClientFactory.create(mongo, 1);
    HistoryPartitions partitions = new HistoryPartitions(client, mongo.database(), history);
    return new ViewRefresher(
        new ViewRefresher.Target() {
          @Override
          public List<HistoryPartition> partitions() {
            return partitions.list();
          }

          @Override
          public void refreshView() throws ProvisionException {
            var unused = partitions.refreshView();
          }

          @Override
          public void close() {
            client.close();
          }
        },
        Executors.newSingleThreadScheduledExecutor(MongoSinks.threadFactory(context, "view")),
        context.metricGroup());
  }

  /** Uses a client of its own, since it runs only once an hour. */
  private void dropExpired(HistoryRetention retention, Consumer<HistoryPartition> dropped)
      throws ProvisionException, ClocksDisagreeException {
    MongoClient client = MongoClientFactory.create(mongo, 1);
    try {
      HistoryPartitions partitions = new HistoryPartitions(client, mongo.database(), history);
      Instant now = PartitionExpiry.of(InstantSource.system(), partitions::serverTime);
      partitions.dropExpired(retention, now, dropped);
    } finally {
      if (!ClosingWait.close(client, "close-retention", ClosingWait.LIMIT)) {
        LOG.warn(
            "A connection of the retention is still waiting for MongoDB; it ends at the read"
                + " timeout");
      }
    }
  }

  static MongoBulkServer<LocatedRecord> server(
      MongoClient client,
      String database,
      HistoryOptions history,
      ProvisionMode provision,
      InstantSource clock,
      Duration concernLimit) {
    HistoryPartitions partitions = new HistoryPartitions(client, database, history);
    return new MongoBulkServer<>(
        client,
        client.getDatabase(database),
        new HistoryProvisioner(
            partition -> partitions.ensure(partition, provision), history, clock),
        new HistoryDocumentConverter(),
        MongoBulkServer.DuplicateKeys.ARE_STORED,
        HistoryDocumentConverter::completions,
        concernLimit);
  }
}
