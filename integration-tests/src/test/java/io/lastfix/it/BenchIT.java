package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.LastfixProcess.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix bench}: that it measures what it says, of everything, and leaves nothing behind.
 */
class BenchIT {
  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final int RECORDS = 3_000;

  @TempDir private static Path directory;

  @Test
  void theFloorAndTheJobAreMeasuredAndNothingIsLeft() throws Exception {
    TestStack stack = TestStack.shared();
    Path output = directory.resolve("results");

    Result result =
        new LastfixProcess(
                directory.resolve("home"),
                directory,
                Map.of(
                    "LASTFIX_MONGO_URI", stack.mongoUri(),
                    "LASTFIX_KAFKA", stack.kafka(),
                    "LASTFIX_FLINK", stack.flinkUrl()))
            .run(
                LIMIT,
                "bench",
                "floor",
                "ingest",
                "--short",
                "--records",
                Integer.toString(RECORDS),
                "--parallelism",
                "1",
                "--json",
                "--output",
                output.toString())
            .mustExitWith(0);

    JsonNode json = result.json();
    assertThat(json.path("floor")).hasSize(5);
    assertThat(json.path("ingest")).hasSize(4);
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
    assertThat(json.path("goals")).isNotEmpty();
    assertThat(Files.readString(output.resolve("tables.md"))).contains("| arcanum-uniform |");
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
