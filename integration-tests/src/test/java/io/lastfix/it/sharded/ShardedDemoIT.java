package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.Nightly;
import io.lastfix.it.operate.DemoIT;
import io.lastfix.workload.SampleCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The commands over a sharded local stack, as a user types them. */
@NeedsMongos
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Nightly
class ShardedDemoIT {
  private static final Duration DEMO_LIMIT = Duration.ofMinutes(5);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);

  @TempDir private static Path directory;

  private static LastfixProcess lastfix;

  @BeforeAll
  static void startStack() throws Exception {
    lastfix = new LastfixProcess(directory.resolve("home"), directory);
    lastfix.run(COMMAND_LIMIT, "up", "--shards", "3").mustExitWith(0);
  }

  @AfterAll
  static void takeDownWhatAFailureLeft() throws Exception {
    if (lastfix != null && !lastfix.serversRunning().isEmpty()) {
      lastfix.run(COMMAND_LIMIT, "down", "--purge").mustExitWith(0);
    }
  }

  @Test
  @Order(1)
  void statusShowsShardsAndRouters() throws Exception {
    JsonNode status = lastfix.run(COMMAND_LIMIT, "status", "--json").mustExitWith(0).json();

    List<String> processes = new ArrayList<>();
    status.path("processes").forEach(process -> processes.add(process.path("name").asText()));
    assertThat(processes)
        .containsSubsequence(
            "config-0", "shard-0-0", "shard-1-0", "shard-2-0", "mongos-0", "mongos-1");
    assertThat(status.path("servers").get(0).path("endpoint").asText())
        .matches("mongodb://127\\.0\\.0\\.1:\\d+,127\\.0\\.0\\.1:\\d+/");
  }

  @Test
  @Order(2)
  void theDemoRunsUnchanged() throws Exception {
    SampleCounts counts = DemoIT.sampleData().counts();

    JsonNode summary = lastfix.run(DEMO_LIMIT, "demo", "--json").mustExitWith(0).json();

    assertThat(summary.path("stored").asLong()).isEqualTo(counts.distinct());
    assertThat(summary.path("duplicates").asLong()).isEqualTo(counts.duplicates());
    assertThat(summary.path("rejected").asLong()).isEqualTo(counts.rejected());
    assertThat(summary.path("reconciles").asBoolean()).isTrue();
    assertThat(summary.path("relocated").asLong()).as("positions found later").isPositive();
  }

  @Test
  @Order(3)
  void whatTheDemoStoredIsInBalanceAndTheViewShowsAllOfIt() throws Exception {
    JsonNode stored =
        lastfix
            .run(COMMAND_LIMIT, "partitions", "stats", "--exact", "--json")
            .mustExitWith(0)
            .json();
    JsonNode total = stored.path("total");

    List<Double> shares = new ArrayList<>();
    total.path("shards").forEach(shard -> shares.add(shard.path("share").asDouble()));
    assertThat(shares)
        .as("each shard's share of the records")
        .hasSize(3)
        .allSatisfy(share -> assertThat(share).isBetween(0.2, 0.5));
    System.out.printf("[sharded] the demo's records by shard: %s%n", shares);
    String uri =
        lastfix
            .run(COMMAND_LIMIT, "status", "--json")
            .mustExitWith(0)
            .json()
            .path("servers")
            .get(0)
            .path("endpoint")
            .asText();
    try (MongoClient mongo = MongoClients.create(uri)) {
      // The job brings the view up to date every few seconds.
      await("documents in the view")
          .atMost(COMMAND_LIMIT)
          .untilAsserted(
              () ->
                  assertThat(mongo.getDatabase("lastfix").getCollection("history").countDocuments())
                      .isEqualTo(total.path("records").asLong())
                      .isPositive());
    }
  }

  @Test
  @Order(4)
  void upAgainStartsNothingAndWhatDoesNotFitTheShardsIsRefused() throws Exception {
    List<Long> before = lastfix.serversRunning();

    lastfix.run(COMMAND_LIMIT, "up").mustExitWith(0);
    Result fewer = lastfix.run(COMMAND_LIMIT, "up", "--shards", "1").mustExitWith(1);
    Result unsharded = lastfix.run(COMMAND_LIMIT, "up", "--mongo-members", "1").mustExitWith(1);
    lastfix.run(COMMAND_LIMIT, "up", "--shards", "3", "--mongo-members", "1").mustExitWith(2);

    assertThat(fewer.err()).contains("shards can be added, not removed");
    assertThat(unsharded.err()).contains("cannot be turned into one replica set in place");
    assertThat(lastfix.serversRunning()).isEqualTo(before);
  }

  @Test
  @Order(5)
  void aStackThatWasDownComesBackWithItsShardsAndItsData() throws Exception {
    lastfix.run(COMMAND_LIMIT, "down").mustExitWith(0);
    assertThat(lastfix.serversRunning()).isEmpty();

    JsonNode endpoints =
        lastfix.run(COMMAND_LIMIT, "up", "--shards", "4", "--json").mustExitWith(0).json();

    try (MongoClient mongo =
        MongoClients.create(endpoints.path("endpoints").path("mongodb").asText())) {
      assertThat(mongo.getDatabase("lastfix").getCollection("last_known_location").countDocuments())
          .isPositive();
      assertThat(mongo.getDatabase("config").getCollection("shards").countDocuments())
          .as("shards, the new one among them")
          .isEqualTo(4);
    }
    lastfix.run(COMMAND_LIMIT, "down", "--purge").mustExitWith(0);
    assertThat(lastfix.serversRunning()).isEmpty();
  }
}
