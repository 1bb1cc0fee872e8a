package io.lastfix.sink;

import io.lastfix.store.provision.ProvisionException;

/**
 * Ensures that a collection exists with its indexes before its first write. A collection created by
 * an insert has no indexes, and on a sharded cluster is not sharded.
 */
interface CollectionProvisioner {
  /**
   * Applies the missing steps. Blocks. May be repeated for the same collection, and called by
   * several subtasks at once.
   *
   * @throws ProvisionException if the collection differs from its description, and only a person
   *     can change it
   * @throws com.mongodb.MongoException if the server rejects the command or does not answer
   */
  void provision(String collection) throws ProvisionException;

  /**
   * Returns true if the collection may have been dropped since, so that it must be inspected again.
   */
  default boolean mayBeGone(String collection) {
    return false;
  }
}
