package io.lastfix.sink;

import io.lastfix.store.provision.ProvisionException;

/** Makes sure of one partition of History at a time. */
interface PartitionProvisioner {
  /**
   * Does what is missing of a partition. Blocks.
   *
   * @throws ProvisionException as {@link CollectionProvisioner#provision}
   * @throws com.mongodb.MongoException likewise
   */
  void provision(String partition) throws ProvisionException;
}
