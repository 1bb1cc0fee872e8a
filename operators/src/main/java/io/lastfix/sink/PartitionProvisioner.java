package io.lastfix.sink;

import io.lastfix.provision.ProvisionException;

/** Makes sure of one partition of History at a time, and of the view over all. */
interface PartitionProvisioner {
  /**
   * Does what is missing of a partition. Blocks.
   *
   * @return whether anything was
   * @throws ProvisionException as {@link CollectionProvisioner#provision}
   * @throws com.mongodb.MongoException likewise
   */
  boolean provision(String partition) throws ProvisionException;

  /**
   * Has the view show all partitions. Blocks.
   *
   * @throws ProvisionException if something else has its name, or the user lacks a right
   * @throws com.mongodb.MongoException if the server refuses or does not answer
   */
  void refreshView() throws ProvisionException;
}
