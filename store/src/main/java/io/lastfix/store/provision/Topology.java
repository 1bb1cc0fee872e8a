package io.lastfix.store.provision;

import org.bson.BsonDocument;
import org.bson.BsonString;

/** The kind of server that a client is connected to. */
public enum Topology {
  STANDALONE("a standalone server: nothing is sharded"),
  REPLICA_SET("a replica set: nothing is sharded"),
  SHARDED_CLUSTER("a sharded cluster");

  private final String words;

  Topology(String words) {
    this.words = words;
  }

  /** Reads the answer to {@code hello}: only a router has that {@code msg}. */
  public static Topology of(BsonDocument hello) {
    if (new BsonString("isdbgrid").equals(hello.get("msg"))) {
      return SHARDED_CLUSTER;
    }
    return hello.containsKey("setName") ? REPLICA_SET : STANDALONE;
  }

  /** Describes the server for the user; if it is no cluster, adds that nothing is sharded. */
  public String words() {
    return words;
  }
}
