package io.lastfix.sink;

import io.lastfix.store.provision.ProvisionException;

/**
 * Makes sure a collection is there, with its indexes, before its first write: a collection that an
 * insert makes has no indexes, and on a sharded cluster is not sharded.
 */
interface CollectionProvisioner {
  /**
   * Does what is missing. Blocks. May be called for the same collection again, and by several
   * subtasks at once.
   *
   * @throws ProvisionException if the collection is not as it must be, and nobody but a person can
   *     change it
   * @throws com.mongodb.MongoException if the server refuses or does not answer
   */
  void provision(String collection) throws ProvisionException;

  /** Whether that collection may have been dropped since, so that it has to be looked at again. */
  default boolean mayBeGone(String collection) {
    return false;
  }
}
