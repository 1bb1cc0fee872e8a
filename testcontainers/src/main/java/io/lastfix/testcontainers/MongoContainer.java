package io.lastfix.testcontainers;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/** A MongoDB whose replica set has one member. */
final class MongoContainer extends GenericContainer<MongoContainer> {
  static final String ALIAS = "mongodb";
  private static final int PORT = 27017;
  private static final String REPLICA_SET = "lastfix";

  MongoContainer(Network network) {
    super(ServerImage.MONGO.reference());
    withNetwork(network);
    withNetworkAliases(ALIAS);
    withExposedPorts(PORT);
    withCommand(
        "mongod", "--replSet", REPLICA_SET, "--bind_ip_all", "--wiredTigerCacheSizeGB", "0.25");
    waitingFor(Wait.forListeningPort());
  }

  /** For the test's process. */
  String uri() {
    return "mongodb://%s:%d/?directConnection=true".formatted(getHost(), getMappedPort(PORT));
  }

  /** For the other containers. */
  static String inside() {
    return "mongodb://%s:%d/?replicaSet=%s".formatted(ALIAS, PORT, REPLICA_SET);
  }

  /** Founds the replica set, and waits until its member takes writes. */
  void initiate(Duration limit) {
    try (MongoClient client = MongoClients.create(uri())) {
      Document member = new Document("_id", 0).append("host", ALIAS + ":" + PORT);
      client
          .getDatabase("admin")
          .runCommand(
              new Document(
                  "replSetInitiate",
                  new Document("_id", REPLICA_SET).append("members", List.of(member))));
      Waiting.until(
          limit,
          () ->
              client
                  .getDatabase("admin")
                  .runCommand(new Document("hello", 1))
                  .getBoolean("isWritablePrimary", false),
          () -> new IllegalStateException("MongoDB takes no writes"));
    }
  }
}
