package io.lastfix.audit;

import com.mongodb.ServerAddress;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.stored.Place;
import io.lastfix.audit.stored.StoredCollections;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Collections in memory that, like those of a cluster with several shards, may hold an {@code _id}
 * twice. They record filters, and apply one rule of them: a filter by ids excludes every {@code
 * _id} of another type.
 */
final class StoredInMemory implements StoredCollections {
  private final Map<String, List<BsonDocument>> documents = new LinkedHashMap<>();
  final Map<String, BsonDocument> filters = new LinkedHashMap<>();

  void put(String collection, BsonDocument document) {
    documents.computeIfAbsent(collection, absent -> new ArrayList<>()).add(document);
  }

  List<BsonDocument> all(String collection) {
    return List.copyOf(documents.getOrDefault(collection, List.of()));
  }

  void clear(String collection) {
    documents.remove(collection);
  }

  /** A record without a position, as the sink of History writes it. */
  static BsonDocument history(HistoryLayout layout, String user, long ts, String cell) {
    return new BsonDocument("_id", new BsonBinary(layout.id(ts, cell, "", user)))
        .append("user", new BsonString(user))
        .append("ts", new BsonDateTime(ts))
        .append("cell", new BsonString(cell))
        .append("radio", BsonNull.VALUE);
  }

  /** A user, as the sink of Last Known Location writes it. */
  static BsonDocument lastKnown(String user, long ts, String cell, Place place) {
    return new BsonDocument("_id", new BsonString(user))
        .append(
            "last",
            new BsonDocument("ts", new BsonDateTime(ts))
                .append("cell", new BsonString(cell))
                .append(
                    "loc",
                    new BsonDocument("lon", new BsonDouble(place.lon()))
                        .append("lat", new BsonDouble(place.lat())))
                .append("src", new BsonString("cell"))
                .append("acc", BsonNull.VALUE))
        .append("fix", BsonNull.VALUE);
  }

  @Override
  public List<String> names() {
    return List.copyOf(documents.keySet());
  }

  @Override
  public long estimatedCount(String collection) {
    return documents.getOrDefault(collection, List.of()).size();
  }

  @Override
  public MongoCursor<BsonDocument> documents(String collection, BsonDocument filter) {
    filters.put(collection, filter);
    return open(collection, document -> filter.isEmpty() || document.get("_id").isBinary());
  }

  /** All values that are not binary data come before it here. */
  @Override
  public MongoCursor<BsonDocument> documentsBelow(String collection, BsonValue id) {
    return open(collection, document -> !document.get("_id").isBinary());
  }

  @Override
  public MongoCursor<BsonDocument> documentsFrom(String collection, BsonValue id) {
    return open(collection, document -> false);
  }

  private MongoCursor<BsonDocument> open(String collection, Predicate<BsonDocument> isFound) {
    Iterator<BsonDocument> inOrder =
        documents.getOrDefault(collection, List.of()).stream()
            .filter(isFound)
            .sorted(Comparator.comparing(document -> document.get("_id").toString()))
            .iterator();
    return new MongoCursor<>() {
      @Override
      public boolean hasNext() {
        return inOrder.hasNext();
      }

      @Override
      public BsonDocument next() {
        return inOrder.next();
      }

      @Override
      public BsonDocument tryNext() {
        return hasNext() ? next() : null;
      }

      @Override
      public int available() {
        return 0;
      }

      @Override
      public void close() {
        // Nothing to close.
      }

      @Override
      public ServerCursor getServerCursor() {
        return null;
      }

      @Override
      public ServerAddress getServerAddress() {
        return new ServerAddress();
      }
    };
  }

  @Override
  public List<BsonDocument> find(String collection, List<? extends BsonValue> ids) {
    return documents.getOrDefault(collection, List.of()).stream()
        .filter(document -> ids.contains(document.get("_id")))
        .toList();
  }
}
