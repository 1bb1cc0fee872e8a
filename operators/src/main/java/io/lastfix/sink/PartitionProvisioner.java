package io.lastfix.sink;

import io.lastfix.store.provision.ProvisionException;

/** Provisions one partition of History at a time. */
interface PartitionProvisioner {
  /**
   * Applies the missing steps of a partition. Blocks.
   *
   * @throws ProvisionException as {@link CollectionProvisioner#provision}
   * @throws com.mongodb.MongoException as {@link CollectionProvisioner#provision}
   */
  void provision(String partition) throws ProvisionException;
}
