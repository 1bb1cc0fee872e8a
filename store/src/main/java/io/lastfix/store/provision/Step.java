package io.lastfix.store.provision;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexModel;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** One missing object, and the command that creates it. */
public sealed interface Step {
  /** Describes the object for the user: {@code collection lastfix.history_2026_11}. */
  String description();

  /**
   * Creates the object. Blocks.
   *
   * @throws com.mongodb.MongoException if the server rejects the command, also if another process
   *     has created the object meanwhile
   */
  void run(MongoClient client);

  /** A collection on a server without shards. */
  record CreateCollection(String database, String collection) implements Step {
    @Override
    public String description() {
      return "collection %s.%s".formatted(database, collection);
    }

    @Override
    public void run(MongoClient client) {
      client.getDatabase(database).createCollection(collection);
    }
  }

  /** An index without options, under the default name of drivers and mongosh. */
  record CreateIndex(String database, String collection, KeyPattern keys) implements Step {
    @Override
    public String description() {
      return "index %s on %s.%s".formatted(keys, database, collection);
    }

    @Override
    public void run(MongoClient client) {
      runTogether(client, List.of(this));
    }

    /**
     * Creates several indexes of one collection in one command, and the collection if it does not
     * exist.
     */
    static void runTogether(MongoClient client, List<CreateIndex> indexes) {
      CreateIndex first = indexes.get(0);
      var unused =
          client
              .getDatabase(first.database())
              .getCollection(first.collection())
              .createIndexes(
                  indexes.stream().map(index -> new IndexModel(index.keys().toBson())).toList());
    }
  }

  /**
   * A view over several collections.
   *
   * @param members collections that it shows, in that order; at least one
   * @param exists whether it shows others now
   */
  record DefineView(String database, String view, List<String> members, boolean exists)
      implements Step {
    @Override
    public String description() {
      return "view %s.%s over %d collection%s%s"
          .formatted(
              database,
              view,
              members.size(),
              members.size() == 1 ? "" : "s",
              exists ? " (update)" : "");
    }

    @Override
    public void run(MongoClient client) {
      client
          .getDatabase(database)
          .runCommand(
              new BsonDocument(exists ? "collMod" : "create", new BsonString(view))
                  .append("viewOn", new BsonString(members.get(0)))
                  .append("pipeline", UnionViewComparison.pipeline(members)));
    }
  }

  /** Drops the view if there is no collection to show. */
  record DropView(String database, String view) implements Step {
    @Override
    public String description() {
      return "no view %s.%s, because it has no collection to show".formatted(database, view);
    }

    @Override
    public void run(MongoClient client) {
      client.getDatabase(database).getCollection(view).drop();
    }
  }

  /**
   * Shards a collection; creates it if it does not exist, so that it never exists unsharded; and
   * creates the shard key's index.
   *
   * @param initialChunks chunks over all shards; 0: the cluster's own choice
   */
  record ShardCollection(String database, String collection, KeyPattern key, int initialChunks)
      implements Step {
    @Override
    public String description() {
      return "collection %s.%s, sharded on %s%s"
          .formatted(
              database,
              collection,
              key,
              initialChunks == 0 ? "" : ", in %d chunks".formatted(initialChunks));
    }

    @Override
    public void run(MongoClient client) {
      MongoDatabase admin = client.getDatabase("admin");
      // A router before 6.0 requires this; repeating it is harmless.
      admin.runCommand(new BsonDocument("enableSharding", new BsonString(database)));
      BsonDocument command =
          new BsonDocument("shardCollection", new BsonString(database + "." + collection))
              .append("key", key.toBson());
      if (initialChunks > 0) {
        command.append("numInitialChunks", new BsonInt32(initialChunks));
      }
      admin.runCommand(command);
    }
  }
}
