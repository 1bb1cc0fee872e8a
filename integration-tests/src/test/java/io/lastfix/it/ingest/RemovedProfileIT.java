package io.lastfix.it.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.local.ServerProcess;
import io.lastfix.model.ShippedProfiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A profile is taken out of a job that continues from a savepoint, and comes back; others come. */
class RemovedProfileIT {
  private static final Instant TIME = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void itsTopicIsLeftAloneAndReadOnWhenTheProfileComesBack() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "removed-profile",
            "profiles.names=json,arcanum",
            "job.parallelism=1",
            "locate.max-wait=0 s")) {
      String topic = run.config().kafka().locationTopic("arcanum");
      String both = run.submit();
      run.send(json(0, 3));
      xml(run, 3);
      await("all is stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(6));
      run.drain(both);

      // All of its topic is read, so the job takes it.
      String alone = run.resume(stop(both), "profiles.names=json");
      xml(run, 2);
      run.send(json(3, 5));
      await("the other profile's records are stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(8));
      assertThat(run.restarts(alone)).isZero();
      assertThat(taskManagerLogs()).contains("No profile reads topic " + topic);

      // Now there are unread records in it.
      String savepoint = stop(alone);
      assertThatThrownBy(() -> run.submit("profiles.names=json"))
          .hasMessageContaining("Topic %s has up to 2 unread records".formatted(topic))
          .hasMessageContaining("source.abandon-topics");
      String accepted =
          run.resume(savepoint, "profiles.names=json", "source.abandon-topics=" + topic);

      String again = run.resume(stop(accepted));
      await("the two that were left alone are stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(10));
      assertThat(run.metrics(again).historyDuplicates()).isZero();
    }
  }

  @Test
  void aSavepointOfAJobWithThreeProfilesIsResumedWithAllThatShip() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "three-profiles",
            "profiles.names=arcanum,mlp,json",
            "job.parallelism=1",
            "locate.max-wait=0 s")) {
      // A gateway has created it, and has answered devices with a yes.
      new KafkaTopics(run.admin(), run.config().kafka())
          .createMissing(List.of(run.config().kafka().locationTopic("osmand")), 2);
      osmand(run, "before");
      String three = run.submit();
      run.send(json(0, 3));
      run.drain(three);

      String savepoint = stop(three);
      run.send(json(3, 4));
      String all =
          run.resume(savepoint, "profiles.names=" + String.join(",", ShippedProfiles.names()));
      osmand(run, "after");

      await("all is stored, also what nobody read before")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(6));
      assertThat(run.restarts(all)).isZero();
      assertThat(run.metrics(all).historyDuplicates()).isZero();
    }
  }

  private static void osmand(LocationRun run, String device) throws Exception {
    String query =
        "id=%s&timestamp=%d&lat=37.775&lon=-122.418".formatted(device, TIME.getEpochSecond());
    run.producer()
        .send(
            new ProducerRecord<>(
                run.config().kafka().locationTopic("osmand"), query.getBytes(UTF_8)))
        .get();
  }

  private static String stop(String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  private static List<Message> json(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                new Message(
                    "json",
                    "{\"user\":\"json-%d\",\"cell\":\"310-4-0-7\",\"ts\":\"%s\"}"
                        .formatted(i, TIME.plusSeconds(i)),
                    List.of(),
                    null))
        .toList();
  }

  private int sent;

  private void xml(LocationRun run, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      sent++;
      String event =
          "<event><subscriber><imei>xml-%d</imei></subscriber><cell><mcc>310</mcc><mnc>4</mnc><lac>0</lac><cid>7</cid></cell><timestamp>%s</timestamp></event>"
              .formatted(sent, TIME.plusSeconds(sent));
      run.producer()
          .send(
              new ProducerRecord<>(
                  run.config().kafka().locationTopic("arcanum"), event.getBytes(UTF_8)))
          .get();
    }
  }

  private static String taskManagerLogs() throws IOException {
    StringBuilder logs = new StringBuilder();
    for (ServerProcess process : stack.cluster().taskManagerProcesses()) {
      logs.append(Files.readString(process.logFile()));
    }
    return logs.toString();
  }
}
