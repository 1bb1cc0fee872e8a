package io.lastfix.store.presence;

import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Queries which devices are there. Thread-safe. */
public final class PresenceQueries {
  private final MongoDatabase database;
  private final String collection;
  private final QueryOptions options;

  /** Queries a database whose client the caller closes. */
  public PresenceQueries(MongoDatabase database, String collection, QueryOptions options) {
    this.database = options.applyTo(database);
    this.collection = collection;
    this.options = options;
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
    List<Bson> filters = new ArrayList<>();
    if (state != null) {
      filters.add(Filters.eq("state", state.text()));
    }
    if (deviceClass != null) {
      filters.add(Filters.eq("class", deviceClass));
    }
    try (MongoCursor<Document> found =
        find(filters.isEmpty() ? new Document() : Filters.and(filters))
            .sort(new Document("_id", 1))
            .iterator()) {
      while (found.hasNext()) {
        target.accept(presence(found.next()));
      }
    } catch (MongoExecutionTimeoutException e) {
      throw new QueryTimeLimitException(collection, options.timeLimit(), e);
    }
  }

  /**
   * Returns the presence of a device; empty if it never gave a sign of life.
   *
   * @throws QueryTimeLimitException if the server takes too long
   */
  public Optional<Presence> of(String device) {
    try {
      return Optional.ofNullable(find(Filters.eq("_id", device)).first())
          .map(PresenceQueries::presence);
    } catch (MongoExecutionTimeoutException e) {
      throw new QueryTimeLimitException(collection, options.timeLimit(), e);
    }
  }

  private FindIterable<Document> find(Bson filter) {
    return database
        .getCollection(collection)
        .find(filter)
        .maxTime(options.timeLimit().toMillis(), TimeUnit.MILLISECONDS);
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
