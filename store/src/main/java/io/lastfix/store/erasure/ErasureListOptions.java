package io.lastfix.store.erasure;

import io.lastfix.store.connect.MongoOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * Where the list of the forgotten is, and how a sink follows it.
 *
 * @param mongo server and database: those of Last Known Location
 * @param collection its name
 * @param refreshInterval how often a sink looks whether the list has grown
 * @param retryTimeout how long a record may wait for the list to be read for the first time, before
 *     the job fails
 */
public record ErasureListOptions(
    MongoOptions mongo, String collection, Duration refreshInterval, Duration retryTimeout)
    implements Serializable {
  public ErasureListOptions {
    Objects.requireNonNull(mongo, "mongo");
    Objects.requireNonNull(collection, "collection");
    Objects.requireNonNull(refreshInterval, "refreshInterval");
    Objects.requireNonNull(retryTimeout, "retryTimeout");
  }

  /** The collection that says who forgot whom, and when. */
  public String auditCollection() {
    return collection + "_audit";
  }
}
