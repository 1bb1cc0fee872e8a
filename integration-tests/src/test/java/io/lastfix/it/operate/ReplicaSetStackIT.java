package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.local.MongoServer;
import io.lastfix.local.ServerSite;
import io.lastfix.local.program.MongodBinary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A local stack whose MongoDB has three members, as a user starts and ends it. */
class ReplicaSetStackIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration DOWN_LIMIT = Duration.ofSeconds(20);

  @TempDir private static Path directory;

  private final LastfixProcess lastfix = new LastfixProcess(directory.resolve("home"), directory);

  @AfterEach
  void takeDownWhatAFailureLeft() throws Exception {
    if (!lastfix.serversRunning().isEmpty()) {
      lastfix.run(LIMIT, "down", "--purge").mustExitWith(0);
    }
  }

  @Test
  void upEndsOnlyWhenEachMemberFollowsAndDownEndsThemTogether() throws Exception {
    JsonNode up =
        lastfix
            .withPortsOfItsOwn(3)
            .run(LIMIT, "up", "--mongo-members", "3", "--timeout", "120", "--json")
            .mustExitWith(0)
            .json();

    assertThat(states(up.path("endpoints").path("mongodb").asText()))
        .containsExactlyInAnyOrder("PRIMARY", "SECONDARY", "SECONDARY");

    long begin = System.nanoTime();
    lastfix.run(LIMIT, "down").mustExitWith(0);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    System.out.printf("[stack] down of three members took %.1f s%n", took.toMillis() / 1000.0);

    assertThat(lastfix.serversRunning()).isEmpty();
    assertThat(took).isLessThan(DOWN_LIMIT);
  }

  /** Without Kafka and Flink, for which members could be late unseen. */
  @Test
  void aReplicaSetIsReadyWhenEachMemberFollows() {
    MongoServer members =
        new MongoServer(
            ServerSite.fresh(directory.resolve("members")),
            new MongodBinary(System.getenv(), line -> {}).locate(),
            3,
            List.of(),
            client -> {});
    try (members) {
      members.start();
      members.awaitReady(LIMIT);

      assertThat(states(members.endpoint()))
          .containsExactlyInAnyOrder("PRIMARY", "SECONDARY", "SECONDARY");
    }
  }

  /** What each member says that it is. */
  private static List<String> states(String endpoint) {
    List<String> states = new ArrayList<>();
    for (String host : hosts(endpoint)) {
      try (MongoClient member =
          MongoClients.create("mongodb://" + host + "/?directConnection=true")) {
        Document status =
            member.getDatabase("admin").runCommand(new Document("replSetGetStatus", 1));
        status.getList("members", Document.class).stream()
            .filter(one -> one.getBoolean("self", false))
            .forEach(one -> states.add(one.getString("stateStr")));
      }
    }
    return states;
  }

  private static List<String> hosts(String endpoint) {
    String list = endpoint.substring("mongodb://".length(), endpoint.indexOf("/?"));
    return Arrays.asList(list.split(",", -1));
  }
}
