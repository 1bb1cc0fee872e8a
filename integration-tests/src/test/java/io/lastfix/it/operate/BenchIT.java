package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.Nightly;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix bench}: that it measures what it says, of everything, and leaves nothing behind.
 */
@Nightly
class BenchIT {
  private static final Duration LIMIT = Duration.ofMinutes(Chaos.shortOrLong(8, 20));
  private static final int RECORDS = 20_000;

  @TempDir private static Path directory;

  @Test
  void theFloorAndTheJobAreMeasuredAndNothingIsLeft() throws Exception {
    TestStack stack = TestStack.shared();
    Path output = directory.resolve("results");

    // Each job that is started costs CI some ten seconds of CPU.
    List<String> parts =
        Chaos.shortOrLong(0, 1) == 0
            ? List.of("floor")
            : List.of("floor", "ingest", "query", "freshness");
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(parts);
    arguments.addAll(
        List.of(
            "--short",
            "--records",
            Integer.toString(RECORDS),
            "--parallelism",
            "1",
            "--loaders",
            "4",
            "--json",
            "--output",
            output.toString()));
    Result result =
        new LastfixProcess(
                directory.resolve("home"),
                directory,
                Map.of(
                    "LASTFIX_MONGO_URI", stack.mongoUri(),
                    "LASTFIX_KAFKA", stack.kafka(),
                    "LASTFIX_FLINK", stack.flinkUrl()))
            .run(LIMIT, arguments.toArray(String[]::new))
            .mustExitWith(0);

    JsonNode json = result.json();
    assertThat(json.path("surroundings"))
        .as("what MongoDB was measured")
        .anySatisfy(
            row ->
                assertThat(row.path("value").asText())
                    .contains("a replica set of one member; cache ", "eviction_dirty_target=20,"));
    assertThat(json.path("floor")).hasSize(7);
    for (JsonNode row : json.path("floor")) {
      assertThat(row.path("recordsPerSecond").asDouble())
          .as("records a second of %s", row)
          .isPositive();
    }
    assertThat(json.path("ingest")).hasSize(parts.contains("ingest") ? 5 : 0);
    for (JsonNode row : json.path("ingest")) {
      assertThat(row.path("recordsPerSecond").asDouble())
          .as("records a second of %s", row)
          .isPositive();
      assertThat(row.path("ratio").asDouble())
          .as("ratio of the medians of one round, %s", row)
          .isCloseTo(
              row.path("recordsPerSecond").asDouble()
                  / row.path("floorRecordsPerSecond").asDouble(),
              withinPercentage(0.1));
    }
    assertThat(json.path("query").isMissingNode()).isEqualTo(!parts.contains("query"));
    if (parts.contains("query")) {
      // Two questions by 1, 8 and 32 clients, at six loads and at full ingest.
      assertThat(json.path("query")).hasSize(2 * 3 * 7);
      assertThat(json.path("queryInTime")).hasSize(2);
    }
    for (JsonNode row : json.path("query")) {
      // On a fast machine so few records may be stored before the last question is asked.
      if (row.path("ingest").asText().equals("full") && row.path("queriesPerSecond").isNull()) {
        continue;
      }
      assertThat(row.path("queriesPerSecond").asDouble())
          .as("questions answered in a second, %s", row)
          .isPositive();
    }
    // Three loads, both collections.
    assertThat(json.path("freshness")).hasSize(parts.contains("freshness") ? 3 * 2 : 0);
    for (JsonNode row : json.path("freshness")) {
      assertThat(row.path("p50Millis").asDouble()).as("median, %s", row).isPositive();
      assertThat(row.path("mongoCheckpointSeconds").isNumber())
          .as("whether MongoDB tells its checkpoints, %s", row)
          .isTrue();
      assertThat(row.path("clientCpu").asDouble()).as("CPU of the sender, %s", row).isPositive();
    }
    assertThat(Files.exists(output.resolve("freshness-time.png")))
        .as("the picture over time")
        .isEqualTo(parts.contains("freshness"));
    assertThat(Files.readString(output.resolve("tables.md")))
        .contains("| both, never joining writes |");
    assertThat(output.resolve("results.json")).exists();
    try (MongoClient mongo = MongoClients.create(stack.mongoUri())) {
      assertThat(mongo.listDatabaseNames()).doesNotContain("lastfix_bench");
    }
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, stack.kafka()))) {
      Set<String> topics = admin.listTopics().names().get();
      assertThat(topics).noneMatch(topic -> topic.startsWith("lastfix-bench"));
    }
  }
}
