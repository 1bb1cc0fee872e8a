package io.lastfix.store.erasure;

import io.lastfix.store.connect.MongoOptions;
import java.io.Serializable;
import java.time.Duration;

/**
 * Location of the erasure list, and how a sink follows it.
 *
 * @param mongo server and database; the same as those of Last Known Location
 * @param collection name of the collection
 * @param refreshInterval how often a sink checks the list's version
 * @param retryTimeout how long a record may wait for the first read of the list before the job
 *     fails
 */
public record ErasureListOptions(
    MongoOptions mongo, String collection, Duration refreshInterval, Duration retryTimeout)
    implements Serializable {
  /** Returns the name of the audit collection: which operator erased which user, and when. */
  public String auditCollection() {
    return collection + "_audit";
  }
}
