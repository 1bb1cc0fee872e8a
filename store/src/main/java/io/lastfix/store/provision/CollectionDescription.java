package io.lastfix.store.provision;

import java.util.ArrayList;
import java.util.List;

/**
 * A collection as it must be. None of its indexes is unique but that on {@code _id}, which every
 * collection has.
 *
 * @param name of the collection
 * @param shardKey what it is sharded on where the server is a sharded cluster; the cluster makes an
 *     index on it
 * @param unshardedIndexes what it has on a standalone server and a replica set alone, because the
 *     shard key's index serves the same queries
 * @param indexes what it has on every server
 */
public record CollectionDescription(
    String name, KeyPattern shardKey, List<KeyPattern> unshardedIndexes, List<KeyPattern> indexes) {
  public CollectionDescription {
    unshardedIndexes = List.copyOf(unshardedIndexes);
    indexes = List.copyOf(indexes);
  }

  /** The indexes that have to be made, beside {@code _id}'s and the shard key's. */
  List<KeyPattern> indexesOn(Topology topology) {
    List<KeyPattern> all = new ArrayList<>();
    if (topology != Topology.SHARDED_CLUSTER) {
      all.addAll(unshardedIndexes);
    }
    all.addAll(indexes);
    return all;
  }
}
