package io.lastfix.sink;

import io.lastfix.model.device.Presence;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.presence.PresenceCollection;
import io.lastfix.store.presence.PresenceConverter;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Keeps the newest presence of each device. The server decides which is newest, so a replay ends in
 * the same documents. See {@link PresenceConverter} for the documents, {@link BulkSinkMetrics} for
 * the metrics.
 */
public final class PresenceSink implements WriterSink<Presence> {
  private static final long serialVersionUID = 1;

  private final MongoOptions mongo;
  private final BulkOptions bulks;
  private final PresenceCollection collection;
  private final ProvisionMode provision;

  /** Writes to a collection, which it creates if the mode allows that. */
  public PresenceSink(
      MongoOptions mongo,
      BulkOptions bulks,
      PresenceCollection collection,
      ProvisionMode provision) {
    this.mongo = Objects.requireNonNull(mongo, "mongo");
    this.bulks = Objects.requireNonNull(bulks, "bulks");
    this.collection = Objects.requireNonNull(collection, "collection");
    this.provision = Objects.requireNonNull(provision, "provision");
  }

  @Override
  public SinkWriter<Presence> createWriter(WriterInitContext context) {
    var client = MongoClientFactory.createForSinks(mongo, MongoSinks.connections(bulks));
    Provisioner provisioner = new Provisioner(client, mongo.database());
    return MongoSinks.writer(
        context,
        new PresenceBatching(collection),
        new MongoBulkServer<>(
            client,
            client.getDatabase(mongo.database()),
            name -> provisioner.ensure(collection.description(), provision),
            new PresenceConverter(),
            MongoBulkServer.DuplicateKeys.LOST_A_RACE,
            presence -> null,
            bulks.retryTimeout()),
        bulks);
  }
}
