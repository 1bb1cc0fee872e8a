package io.lastfix.store.provision;

import io.lastfix.store.provision.Step.CreateCollection;
import io.lastfix.store.provision.Step.CreateIndex;
import io.lastfix.store.provision.Step.ShardCollection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Compares the description of one collection with the existing one; without access to a server. It
 * ignores additional indexes unless they are unique.
 *
 * @param shards number of shards of a sharded cluster
 * @param steps receives what is missing
 * @param differences receives what contradicts the description
 */
record Comparison(
    String database,
    CollectionDescription wanted,
    Topology topology,
    int shards,
    List<Step> steps,
    List<Difference> differences) {
  /**
   * Initial chunks per shard: enough for the balancer to even out shards of unequal size, few
   * enough for a period that stays small.
   */
  private static final int CHUNKS_PER_SHARD = 4;

  private static final String NOTHING = "none";

  /**
   * Plans the steps.
   *
   * @param shards number of shards of a sharded cluster; ignored elsewhere
   * @param found null if the name is free
   */
  static CollectionPlan plan(
      String database,
      CollectionDescription wanted,
      Topology topology,
      int shards,
      @Nullable ExistingCollection found) {
    Comparison comparison =
        new Comparison(database, wanted, topology, shards, new ArrayList<>(), new ArrayList<>());
    if (found == null) {
      comparison.createCollection();
      wanted.indexesOn(topology).forEach(comparison::createIndex);
    } else if (!found.isCollection()) {
      comparison.differs("kind", ExistingCollection.COLLECTION, found.type(), "rename or drop it");
    } else {
      comparison.compareOptions(found.options());
      comparison.compareSharding(found);
      comparison.compareIndexes(found.indexes());
    }
    return new CollectionPlan(
        comparison.namespace(),
        comparison.differences.isEmpty() ? comparison.steps : List.of(),
        comparison.differences);
  }

  private String namespace() {
    return database + "." + wanted.name();
  }

  private void createCollection() {
    if (topology == Topology.SHARDED_CLUSTER) {
      shard();
    } else {
      steps.add(new CreateCollection(database, wanted.name()));
    }
  }

  /** Comes before the indexes: writers could find a collection that exists but is not sharded. */
  private void shard() {
    int chunks = wanted.shardKey().startsWithHash() ? CHUNKS_PER_SHARD * shards : 0;
    steps.add(new ShardCollection(database, wanted.name(), wanted.shardKey(), chunks));
  }

  private void createIndex(KeyPattern keys) {
    steps.add(new CreateIndex(database, wanted.name(), keys));
  }

  private void differs(String what, Object expected, Object found, String remedy) {
    differences.add(new Difference(what, expected.toString(), found.toString(), remedy));
  }

  /** Reports options that would lose records or treat two ids as one. */
  private void compareOptions(BsonDocument options) {
    if (options.getBoolean("capped", BsonBoolean.FALSE).getValue()) {
      differs(
          "capped",
          "an uncapped collection",
          "a capped one, which drops its oldest documents",
          "copy the documents to keep, and drop it");
    }
    if (options.containsKey("collation")
        && !options
            .getDocument("collation")
            .getString("locale", new BsonString("simple"))
            .getValue()
            .equals("simple")) {
      differs(
          "collation",
          NOTHING,
          options.getDocument("collation").getString("locale").getValue() + " (for every index)",
          "copy the documents to keep, and drop it: with a collation two ids can be equal");
    }
  }

  private void compareSharding(ExistingCollection found) {
    if (topology != Topology.SHARDED_CLUSTER) {
      return;
    }
    KeyPattern key = found.shardKey();
    if (key == null && found.hasDocuments()) {
      differs(
          "sharding",
          "sharded on " + wanted.shardKey(),
          "not sharded, with documents in it (an insert may have created it)",
          "stop the jobs that write to it, and shard it in mongosh: db.getSiblingDB(\"%s\").%s.createIndex(%s);"
                  .formatted(database, wanted.name(), wanted.shardKey())
              + " sh.shardCollection(\"%s\", %s)".formatted(namespace(), wanted.shardKey()));
    } else if (key == null) {
      shard();
    } else if (!key.equals(wanted.shardKey())) {
      differs(
          "shard key",
          wanted.shardKey(),
          key,
          "configure the existing key, or change it with reshardCollection while no job writes");
    }
  }

  private void compareIndexes(List<ExistingIndex> found) {
    Set<ExistingIndex> reported = new HashSet<>();
    if (found.stream().noneMatch(ExistingIndex::isId)) {
      differs(
          "unique index",
          "{_id: 1}",
          NOTHING,
          "copy the documents to keep, and drop it: without this index a replay stores records"
              + " twice");
    }
    for (KeyPattern keys : wanted.indexesOn(topology)) {
      List<ExistingIndex> same = found.stream().filter(index -> index.keys().equals(keys)).toList();
      if (same.isEmpty()) {
        createIndex(keys);
      } else if (same.stream().noneMatch(ExistingIndex::isPlain)) {
        same.forEach(index -> differs("index", keys, index, "drop that index"));
        reported.addAll(same);
      }
    }
    for (ExistingIndex index : found) {
      if (index.isUnique() && !index.isId() && !reported.contains(index)) {
        differs(
            "unique index",
            NOTHING + " but {_id: 1}",
            index,
            "drop that index: it would reject records that must be stored");
      }
    }
  }
}
