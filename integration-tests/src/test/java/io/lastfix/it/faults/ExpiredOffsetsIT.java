package io.lastfix.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention passes the offset at which a job is to continue, or the topic is made anew. */
class ExpiredOffsetsIT {
  private static final Instant TIME = Instant.parse("2026-11-20T12:00:00Z");
  private static final String METRIC = "sourceRecordsLost";

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void whatRetentionHasLeftIsReadAndWhatItTookIsCounted() throws Exception {
    try (LocationRun run = run("expired", "source.start=2026-01-01T00:00:00Z")) {
      String savepoint = storeAndStop(run);
      run.send(messages(10, 20));
      deleteBefore(run, 13);

      String job = run.resume(savepoint);
      await("the seven records that are left are stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(17));
      awaitLost(job, 3.0);
      assertThat(taskManagerLogs())
          .contains("expired.location.json, partition 0: 3 records were lost, offsets 10 to 12");
      run.drain(job);
      assertThat(run.restarts(job)).isZero();
    }
  }

  @Test
  void aTopicThatRetentionHasEmptiedLeavesNoLagBehindAndIsSaidOnce() throws Exception {
    try (LocationRun run = run("emptied")) {
      String savepoint = storeAndStop(run);
      run.send(messages(10, 20));
      deleteBefore(run, 20);

      String job = run.resume(savepoint);
      awaitLost(job, 10.0);
      await("the group goes past the gap").atMost(LocationRun.LIMIT).until(() -> run.lag() == 0);
      run.resume(stop(job));

      run.send(messages(20, 25));
      await("what comes afterwards is stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(15));
      assertThat(taskManagerLogs())
          .containsOnlyOnce("emptied.location.json, partition 0: 10 records were lost");
    }
  }

  @Test
  void aJobThatIsToFailAtAGapEndsAndIsNotRestarted() throws Exception {
    try (LocationRun run = run("gap-fails")) {
      String savepoint = storeAndStop(run);
      run.send(messages(10, 20));
      deleteBefore(run, 13);

      String job = run.submitOnly(savepoint, "source.on-gap=fail");
      await("the job has ended")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(stack.flink().job(job).state()).isEqualTo("FAILED"));
      assertThat(stack.flink().causeOf(job).orElse(""))
          .contains("gap-fails.location.json, partition 0: 3 records were lost, offsets 10 to 12")
          .contains("source.on-gap=continue");
      assertThat(run.restarts(job)).isZero();

      run.resume(savepoint);
      await("the seven records that are left are stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(17));
    }
  }

  @Test
  void aTopicThatWasMadeAnewIsReadFromItsBeginning() throws Exception {
    try (LocationRun run = run("made-anew")) {
      String savepoint = storeAndStop(run);
      String topic = run.config().kafka().locationTopic("json");
      run.admin().deleteTopics(List.of(topic)).all().get();
      await("the topic is gone")
          .atMost(LocationRun.LIMIT)
          .until(() -> !run.admin().listTopics().names().get().contains(topic));
      // The submission makes it anew.
      String job = run.resume(savepoint);
      run.send(messages(10, 15));
      await("what the new topic holds is stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(15));
      assertThat(taskManagerLogs()).contains("made-anew.location.json, partition 0: ends at");
      assertThat(run.restarts(job)).isZero();
    }
  }

  /** A run over one partition of one topic, whose offsets are then the messages' numbers. */
  private static LocationRun run(String name, String... more) throws Exception {
    return new LocationRun(
        stack,
        directory,
        name,
        Stream.concat(
                Stream.of(
                    "profiles.names=json",
                    "job.parallelism=1",
                    "kafka.new-topic.partitions=1",
                    "locate.max-wait=0 s"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  /** Has the first ten messages stored. */
  private static String storeAndStop(LocationRun run) throws Exception {
    String first = run.submit();
    run.send(messages(0, 10));
    run.drain(first);
    return stop(first);
  }

  /** Flink fetches a metric a moment after it was first asked for. */
  private static void awaitLost(String job, double records) {
    await("the lost records are counted")
        .atMost(LocationRun.LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        stack
                            .flink()
                            .metrics(job, id -> id.endsWith(METRIC), FlinkRest.Aggregation.SUM))
                    .containsValue(records));
  }

  private static String stop(String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  private static List<Message> messages(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i -> {
              Instant ts = TIME.plusSeconds(i);
              Fact fact = new Fact("user-" + i, 310, 4, 0, 7, null, ts);
              return new Message(
                  "json",
                  "{\"user\":\"user-%d\",\"cell\":\"310-4-0-7\",\"ts\":\"%s\"}".formatted(i, ts),
                  List.of(fact),
                  null);
            })
        .toList();
  }

  /** As retention does, at once. */
  private static void deleteBefore(LocationRun run, long offset) throws Exception {
    run.admin()
        .deleteRecords(
            Map.of(
                new TopicPartition(run.config().kafka().locationTopic("json"), 0),
                RecordsToDelete.beforeOffset(offset)))
        .all()
        .get();
  }

  private static String taskManagerLogs() throws IOException {
    StringBuilder logs = new StringBuilder();
    for (ServerProcess process : stack.cluster().taskManagerProcesses()) {
      logs.append(Files.readString(process.logFile()));
    }
    return logs.toString();
  }
}
