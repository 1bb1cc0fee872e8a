package io.lastfix.sink;

import io.lastfix.model.device.Presence;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.presence.PresenceCollection;
import io.lastfix.store.presence.PresenceConverter;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Keeps the newest presence of each device. The server decides which is newest, so a replay ends in
 * the same documents. See {@link PresenceConverter} for the documents, {@link BulkSinkMetrics} for
 * the metrics.
 */
public record PresenceSink(
    MongoOptions mongo, BulkOptions bulks, PresenceCollection collection, ProvisionMode provision)
    implements WriterSink<Presence> {
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

  /** Each device has at most one waiting write: its newest presence. */
  record PresenceBatching(PresenceCollection devices) implements RecordBatching<Presence> {
    /**
     * Operators, field names, lengths and dates, and three texts of the longest length: a write's
     * size must not depend on what a device says, because it may join another.
     */
    private static final int MAX_BYTES_WITHOUT_DEVICE = 2_560;

    /** The device's id is there twice, each char with up to three bytes in UTF-8. */
    private static final int BYTES_PER_CHAR = 6;

    @Override
    public String collection(Presence presence) {
      return devices.name();
    }

    @Override
    public int maxEncodedBytes(Presence presence) {
      return MAX_BYTES_WITHOUT_DEVICE + BYTES_PER_CHAR * presence.device().length();
    }

    @Override
    public Object coalescingKey(Presence presence) {
      return presence.device();
    }

    @Override
    public boolean supersedes(Presence presence, Presence other) {
      return presence.isNewerThan(other);
    }

    /**
     * An upsert that is sent again after the delete of its device would bring the document back.
     */
    @Override
    public boolean needsOrder() {
      return true;
    }
  }
}
