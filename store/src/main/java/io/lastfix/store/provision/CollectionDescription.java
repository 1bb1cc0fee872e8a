package io.lastfix.store.provision;

import java.util.ArrayList;
import java.util.List;

/**
 * The required state of a collection. Only the index on {@code _id}, which every collection has, is
 * unique.
 *
 * @param name name of the collection
 * @param shardKey shard key on a sharded cluster, which creates an index on it
 * @param unshardedIndexes indexes on a standalone server and a replica set only; on a cluster the
 *     shard key's index serves the same queries
 * @param indexes indexes on every server
 */
public record CollectionDescription(
    String name, KeyPattern shardKey, List<KeyPattern> unshardedIndexes, List<KeyPattern> indexes)
    implements Description {
  /** Returns the indexes to create, without those of {@code _id} and the shard key. */
  List<KeyPattern> indexesOn(Topology topology) {
    List<KeyPattern> all = new ArrayList<>();
    if (topology != Topology.SHARDED_CLUSTER) {
      all.addAll(unshardedIndexes);
    }
    all.addAll(indexes);
    return all;
  }
}
