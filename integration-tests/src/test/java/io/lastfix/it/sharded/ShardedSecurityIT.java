package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.SecuredServers;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sharded cluster that asks for passwords and TLS, under the roles that ship: what {@code
 * lastfixSharding} is needed for, and what {@code forget} can say of shards that do not know its
 * user.
 */
@NeedsMongos
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardedSecurityIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String DATABASE = "lastfix";
  private static final String PASSWORD = "p%40ss";
  private static final int SHARDS = 2;
  private static final Path ROLES = Installation.root().resolve("config/mongodb/roles.json");

  @TempDir private static Path directory;

  private static SecuredServers security;
  private static TestStack stack;
  private static MongoClient administrator;

  @BeforeAll
  static void startServers() throws Exception {
    security = new SecuredServers(Files.createDirectories(directory.resolve("secrets")), PASSWORD);
    stack = TestStack.startSecuredShardedMongo(directory.resolve("stack"), SHARDS, security);
    administrator = security.routerAdministrator(stack.mongoUri());
    createRoles(administrator);
    createUser(administrator, "plain", "lastfixJob");
    createUser(administrator, "job", "lastfixJob", "lastfixSharding");
    createUser(administrator, "forgetter", "lastfixForget", "lastfixSharding");
  }

  @AfterAll
  static void stopServers() {
    if (administrator != null) {
      administrator.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  @Order(1)
  void withoutLastfixShardingNobodyMayLookHowCollectionsAreSharded() throws Exception {
    LastfixProcess.Result refused = run("plain", "provision", "--no-roles").mustExitWith(1);

    assertThat(refused.out() + refused.err()).contains("lastfixSharding");
  }

  @Test
  @Order(2)
  void withLastfixShardingTheJobsUserMakesShardedCollections() throws Exception {
    run("job", "provision", "--no-roles").mustExitWith(0);

    List<Document> sharded =
        administrator
            .getDatabase("config")
            .getCollection("collections")
            .find(new Document("_id", new Document("$regex", "^" + DATABASE + "\\.")))
            .into(new ArrayList<>());
    assertThat(sharded)
        .extracting(collection -> collection.getString("_id"))
        .contains(DATABASE + ".last_known_location")
        .anyMatch(name -> name.startsWith(DATABASE + ".history_"));
  }

  @Test
  @Order(3)
  void forgetSaysOfShardsThatDoNotKnowItsUserThatItCouldNotLook() throws Exception {
    store("first");

    JsonNode report = forget("first");

    assertThat(report.path("deleted").path("last_known_location").asLong()).isEqualTo(1);
    assertThat(report.path("shards")).isEmpty();
    assertThat(report.path("notReached").get(0).asText())
        .startsWith("shards that were not inspected: ")
        .contains(stack.sharded().shard(0).name() + " (it rejects the user of mongo.uri)")
        .contains(stack.sharded().shard(1).name());
  }

  @Test
  @Order(4)
  void forgetCountsOnShardsThatKnowItsUser() throws Exception {
    for (int shard = 0; shard < SHARDS; shard++) {
      try (MongoClient client = security.administrator(stack.sharded().shard(shard).endpoint())) {
        createRoles(client);
        createUser(client, "forgetter", "lastfixForget");
      }
    }
    store("second");

    JsonNode report = forget("second");

    assertThat(report.path("shards")).hasSize(SHARDS);
    assertThat(report.path("notReached").get(0).asText()).startsWith("Kafka's topics");
  }

  private static void store(String user) {
    administrator
        .getDatabase(DATABASE)
        .getCollection("last_known_location")
        .insertOne(
            new Document("_id", user)
                .append(
                    "last",
                    new Document("ts", Date.from(Instant.now())).append("cell", "1-2-3-4")));
  }

  /** What create-roles.js does in mongosh, by the driver. */
  private static void createRoles(MongoClient client) throws Exception {
    for (Document role :
        Document.parse("{roles: " + Files.readString(ROLES) + "}")
            .getList("roles", Document.class)) {
      client
          .getDatabase(role.getString("db"))
          .runCommand(
              new Document("createRole", role.getString("role"))
                  .append("privileges", role.get("privileges"))
                  .append("roles", role.get("roles")));
    }
  }

  private static void createUser(MongoClient client, String name, String... roles) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("createUser", name)
                .append("pwd", "p@ss")
                .append(
                    "roles",
                    Arrays.stream(roles)
                        .map(
                            role ->
                                new Document("role", role)
                                    .append(
                                        "db", role.equals("lastfixSharding") ? "admin" : DATABASE))
                        .toList()));
  }

  /** No Kafka runs here, so each erasure lacks its last step. */
  private static JsonNode forget(String user) throws Exception {
    String nobodyListens = "kafka.bootstrap-servers=localhost:1";
    JsonNode report =
        run("forgetter", "forget", user, "--yes", "--no-job", "--json", "--set", nobodyListens)
            .mustExitWith(1)
            .json();
    assertThat(report.path("failed")).hasSize(1);
    assertThat(report.path("failed").get(0).asText()).contains("in topic lastfix.presence: Kafka");
    return report;
  }

  private static LastfixProcess.Result run(String as, String... arguments) throws Exception {
    String uri =
        stack.mongoUri().replace("mongodb://", "mongodb://%s:%s@".formatted(as, PASSWORD))
            + "?tls=true&authSource=admin";
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "--set", "mongo.uri=${TEST_MONGO_URI}",
            "--set", "mongo.tls.ca-file=" + security.caFile(),
            "--set", "mongo.database=" + DATABASE));
    return new LastfixProcess(
            Files.createDirectories(directory.resolve("home")),
            Files.createDirectories(directory.resolve("output")),
            Map.of("TEST_MONGO_URI", uri))
        .run(LIMIT, all.toArray(String[]::new));
  }
}
