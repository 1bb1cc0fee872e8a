package io.lastfix.sink;

import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.CountsOptions;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.counts.WindowCountConverter;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Keeps the newest number of each group of each window. See {@link WindowCountConverter} for the
 * documents, {@link BulkSinkMetrics} for the metrics.
 */
public final class WindowCountSink implements Sink<WindowCount> {
  private static final long serialVersionUID = 1;

  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final CountsOptions counts;
  private final ProvisionMode provision;

  /** Writes to the collections of all periods, which it creates if the mode allows that. */
  public WindowCountSink(
      MongoOptions mongo, BulkOptions bulks, CountsOptions counts, ProvisionMode provision) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.counts = Objects.requireNonNull(counts, "counts");
    this.provision = Objects.requireNonNull(provision, "provision");
  }

  @Override
  public SinkWriter<WindowCount> createWriter(WriterInitContext context) {
    var client = MongoClientFactory.createForSinks(mongo, MongoSinks.connections(bulks));
    Provisioner provisioner = new Provisioner(client, mongo.database());
    return MongoSinks.writer(
        context,
        new WindowCountBatching(counts),
        new MongoBulkServer<>(
            client,
            client.getDatabase(mongo.database()),
            name -> provisioner.ensure(CountsOptions.description(name), provision),
            new WindowCountConverter(),
            MongoBulkServer.DuplicateKeys.LOST_A_RACE,
            count -> List.of(),
            bulks.retryTimeout()),
        bulks);
  }

  @Override
  @Deprecated // Flink deprecates it and calls the other one, but it is still abstract.
  public SinkWriter<WindowCount> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
