package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.ShippedProfiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway writes to a topic that no job reads: commands say so, and none says that all is well.
 */
class UnreadTopicsCommandsIT {
  private static final String RECORD =
      "{\"user\":\"a\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":\"2026-11-20T12:00:00Z\"}";

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void recordsThatNoJobReadsAreSaidBySubmitStatusAndDrain() throws Exception {
    try (LocationRun run =
        new LocationRun(stack, directory, "unread-topics", "profiles.names=json")) {
      String topic = run.config().kafka().locationTopic("own");
      new KafkaTopics(run.admin(), run.config().kafka()).createMissing(List.of(topic), 1);
      write(run, topic);
      String said =
          topic
              + " has up to 1 records that no running job reads: they are not stored. Resume the"
              + " location job if it is stopped; otherwise submit it with profile own in"
              + " profiles.names, or name the topic in source.abandon-topics";

      assertThat(lastfix(run, "submit", "location", "--afresh").mustExitWith(0).err())
          .contains(said);

      assertThat(lastfix(run, "status").out()).contains("UNREAD   " + said);
      assertThat(lastfix(run, "status", "--json").json().path("unread").path(topic).asLong())
          .isEqualTo(1);
      assertThat(lastfix(run, "top", "--once").mustExitWith(0).out())
          .contains(
              "up       mongodb, kafka, flink",
              "UNREAD   " + said,
              "\nunread-topics\n",
              "RUNNING        0 ")
          .doesNotContain("DOWN");
      LastfixProcess.Result drained = lastfix(run, "drain").mustExitWith(1);
      assertThat(drained.err()).contains(said);
      assertThat(drained.out()).startsWith("All records that the job reads are stored");
      LastfixProcess.Result asJson = lastfix(run, "drain", "--json").mustExitWith(1);
      assertThat(asJson.json().path("drained").asBoolean()).isFalse();
      assertThat(asJson.json().path("unread").path(topic).asLong()).isEqualTo(1);

      await("the ledger of a checkpoint after the record")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(
                          lastfix(run, "top", "--once", "--json")
                              .mustExitWith(0)
                              .json()
                              .path("ledger")
                              .path("ledger")
                              .path("unaccounted")
                              .asText())
                      .isEqualTo("0"));
      assertThat(
              LastfixInProcess.run(run, "top", "--once", "--flink", "http://127.0.0.1:1")
                  .mustExitWith(0)
                  .out())
          .contains(
              "up       mongodb, kafka\n", "DOWN     flink: ", "- unaccounted, at checkpoint -");

      LastfixProcess.Result abandoned =
          lastfix(run, "drain", "--set", "source.abandon-topics=" + topic).mustExitWith(0);
      assertThat(abandoned.out()).startsWith("All records are stored or rejected");
    }
  }

  @Test
  void aProfileIsNotLostByAResumeThatForgetsToNameIt() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "forgotten-profile",
            "profiles.names=json,own",
            "profiles.directory=" + profiles())) {
      String topic = run.config().kafka().locationTopic("own");
      write(run, topic);
      lastfix(run, "submit", "location", "--afresh").mustExitWith(0);
      lastfix(run, "drain").mustExitWith(0);
      lastfix(run, "stop", "location").mustExitWith(0);
      // All is read, so no unread record refuses it.

      LastfixProcess.Result refused =
          LastfixInProcess.run(
              Stream.concat(
                      Stream.of("submit", "location", "--resume", "--flink", stack.flinkUrl()),
                      run.settings().stream()
                          .filter(setting -> !setting.startsWith("profiles.names="))
                          .flatMap(setting -> Stream.of("--set", setting)))
                  .toArray(String[]::new));

      assertThat(refused.mustExitWith(1).err())
          .contains(
              "the job was not started: group forgotten-profile has read "
                  + topic
                  + " before, and this submission would not: give --set"
                  + " profiles.names="
                  + String.join(",", ShippedProfiles.names())
                  + ",own as"
                  + " before, or leave the topics unread with --set source.abandon-topics="
                  + topic);
      lastfix(run, "submit", "location", "--resume").mustExitWith(0);
    }
  }

  private static Path profiles() throws Exception {
    Path folder = Files.createDirectories(directory.resolve("profiles"));
    Files.writeString(
        folder.resolve("own.yaml"),
        """
        format: json
        user: user
        position:
          lon: position/lon
          lat: position/lat
          default-source: gnss
        timestamp:
          path: ts
          format: auto
        """);
    return folder;
  }

  private static void write(LocationRun run, String topic) throws Exception {
    run.producer().send(new ProducerRecord<>(topic, RECORD.getBytes(UTF_8))).get();
  }

  private static LastfixProcess.Result lastfix(LocationRun run, String... arguments) {
    return LastfixInProcess.run(
        run,
        Stream.concat(Stream.of(arguments), Stream.of("--flink", stack.flinkUrl()))
            .toArray(String[]::new));
  }
}
