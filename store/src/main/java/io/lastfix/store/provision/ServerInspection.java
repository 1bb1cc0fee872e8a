package io.lastfix.store.provision;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.ne;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** Inspects the collections of a server. It needs no right to read documents. */
record ServerInspection(MongoClient client, MongoDatabase database) {
  Topology topology() {
    return Topology.of(hello());
  }

  Instant time() {
    return Instant.ofEpochMilli(hello().getDateTime("localTime").getValue());
  }

  private BsonDocument hello() {
    return database.runCommand(new BsonDocument("hello", new BsonInt32(1)), BsonDocument.class);
  }

  /** Returns the number of shards of a sharded cluster. */
  int shards() {
    return (int) config("shards").countDocuments();
  }

  /** Returns all collections and views by name, with type and options only. */
  Map<String, ExistingCollection> everything() {
    Map<String, ExistingCollection> found = new HashMap<>();
    for (BsonDocument listed : database.listCollections(BsonDocument.class)) {
      found.put(listed.getString("name").getValue(), ExistingCollection.of(listed));
    }
    return found;
  }

  /** Returns the collection or view of that name; null if there is none. */
  @Nullable ExistingCollection collection(String name, Topology topology) {
    BsonDocument listed =
        database.listCollections(BsonDocument.class).filter(eq("name", name)).first();
    if (listed == null) {
      return null;
    }
    ExistingCollection found = ExistingCollection.of(listed);
    if (!found.isCollection()) {
      return found;
    }
    List<ExistingIndex> indexes = indexes(name);
    if (indexes.isEmpty()) {
      // Every collection has an index. This one was dropped meanwhile, or a cluster is just
      // creating it.
      return null;
    }
    if (topology != Topology.SHARDED_CLUSTER) {
      return ExistingCollection.of(listed, indexes, null, false);
    }
    // Another process may shard the collection and write to it between two queries. If there are
    // documents, the shard key is therefore read again: if it is still absent, it was absent before
    // they arrived.
    KeyPattern shardKey = shardKey(name);
    boolean hasDocuments = shardKey == null && hasDocuments(name);
    if (hasDocuments) {
      shardKey = shardKey(name);
    }
    return ExistingCollection.of(listed, indexes, shardKey, shardKey == null && hasDocuments);
  }

  private List<ExistingIndex> indexes(String name) {
    List<ExistingIndex> indexes = new ArrayList<>();
    for (BsonDocument listed : database.getCollection(name).listIndexes(BsonDocument.class)) {
      indexes.add(ExistingIndex.of(listed));
    }
    return indexes;
  }

  /**
   * Reads the config servers' entry. Up to 4.4 they keep the entry of a dropped collection, and
   * from 8.0 on they have entries of collections that are not sharded.
   */
  private @Nullable KeyPattern shardKey(String name) {
    BsonDocument entry =
        config("collections")
            .find(
                Filters.and(
                    eq("_id", database.getName() + "." + name),
                    ne("dropped", true),
                    ne("unsplittable", true)))
            .first();
    return entry == null ? null : KeyPattern.of(entry.getDocument("key"));
  }

  /** Uses the shards' own count, which needs no right to read documents. */
  private boolean hasDocuments(String name) {
    List<BsonDocument> countOnly =
        List.of(new BsonDocument("$collStats", new BsonDocument("count", new BsonDocument())));
    for (BsonDocument shard :
        database
            .getCollection(name, BsonDocument.class)
            .withReadPreference(ReadPreference.primary())
            .aggregate(countOnly)) {
      if (shard.getNumber("count").longValue() > 0) {
        return true;
      }
    }
    return false;
  }

  private MongoCollection<BsonDocument> config(String collection) {
    return client
        .getDatabase("config")
        .getCollection(collection, BsonDocument.class)
        .withReadPreference(ReadPreference.primary());
  }
}
