package io.lastfix.store.query;

import com.mongodb.client.MongoDatabase;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Queries which devices are there. Thread-safe. */
public record PresenceQueries(QueryServer server, String collection) {
  /** Queries a database whose client the caller closes. */
  public PresenceQueries(MongoDatabase database, String collection, QueryOptions options) {
    this(new QueryServer(database, options), collection);
  }

  /**
   * Reads the devices, by id.
   *
   * @param state only those; null: all
   * @param deviceClass only those of this class; null: all
   * @throws QueryTimeLimitException if the server takes too long
   */
  public void read(
      Presence.@Nullable State state, @Nullable String deviceClass, Consumer<Presence> target) {
    BsonDocument filter = new BsonDocument();
    if (state != null) {
      filter.append("state", new BsonString(state.text()));
    }
    if (deviceClass != null) {
      filter.append("class", new BsonString(deviceClass));
    }
    server.each(
        new Statement.Find(collection, filter, HistorySightings.BY_ID, null, 0),
        document -> target.accept(presence(document)));
  }

  /**
   * Returns the presence of a device; empty if it never gave a sign of life.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Presence> of(String device) {
    BsonDocument filter = new BsonDocument("_id", new BsonString(device));
    try (StatementCursor found =
        server.run(new Statement.Find(collection, filter, null, null, 1))) {
      return found.hasNext() ? Optional.of(presence(found.next())) : Optional.empty();
    }
  }

  private static Presence presence(Document document) {
    return new Presence(
        document.getString("_id"),
        Presence.State.ONLINE.text().equals(document.getString("state"))
            ? Presence.State.ONLINE
            : Presence.State.OFFLINE,
        document.getDate("since").toInstant().toEpochMilli(),
        document.getDate("seen").toInstant().toEpochMilli(),
        new DeviceDescription(
            document.getString("class"),
            document.getString("sdk"),
            document.getString("manifest")));
  }
}
