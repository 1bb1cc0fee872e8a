package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.Own;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.StorageWatch;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.LiveHeap;
import io.lastfix.local.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records whose cells the catalogue does not have, or not yet, in a job with the default bounds on
 * the local stack's heap. The short forms have fewer records, and no other difference but this: the
 * flood of unknown cells has one subtask, for its records to be more than that one may hold.
 */
class UnknownCellsIT {
  private static final int RECORDS_PER_MESSAGE = 500;
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final double HEAP_SHARE = 0.7;

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory);
  }

  @Test
  void millionsOfUnknownCellsNeitherFillTheHeapNorStopTheJob() throws Exception {
    int records = Chaos.shortOrLong(200_000, 3_000_000);
    Duration wait = Duration.ofSeconds(Chaos.shortOrLong(30, 60));
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "millions-of-unknown-cells",
            "job.parallelism=" + Chaos.shortOrLong(1, 4),
            "locate.max-wait=%d s".formatted(wait.toSeconds()))) {
      String job = run.submit();
      ServerProcess taskManager = stack.cluster().taskManagerProcesses().get(0);
      long heap =
          stack
              .flink()
              .taskManagerMetric(taskManager.name(), "Status.JVM.Memory.Heap.Max")
              .orElseThrow();
      long checkpoints = stack.flink().latestCompletedCheckpoint(job);
      try (StorageWatch storage = StorageWatch.start(run);
          MemoryWatch memory = new MemoryWatch(stack)) {
        Instant began = Instant.now();
        send(run, records, i -> record("user-" + i % 50_000, 1_000_000 + i, i));
        await("the wait is full, and History takes what has left it")
            .atMost(LocationRun.LIMIT)
            .until(() -> run.historyDocuments() > 0);
        assertThat(Duration.between(began, Instant.now()))
            .as("time until a record left the full wait; later its own wait could have ended")
            .isLessThan(wait);
        long live = LiveHeap.bytes(taskManager.pid());
        await("all that need not wait is stored")
            .atMost(Duration.ofMinutes(Chaos.shortOrLong(3, 15)))
            .until(() -> run.metrics(job).waiting() + run.historyDocuments() >= records);
        Duration flood = Duration.between(began, Instant.now());
        long waiting = run.metrics(job).waiting();
        live = Math.max(live, LiveHeap.bytes(taskManager.pid()));
        long completed = stack.flink().latestCompletedCheckpoint(job) - checkpoints;
        assertThat(live)
            .as("live bytes of a heap of %d", heap)
            .isLessThan((long) (heap * HEAP_SHARE));
        assertThat(completed).as("checkpoints in %s", flood).isPositive();

        run.drain(job);
        assertThat(run.historyDocuments()).isEqualTo(records);
        assertThat(run.restarts(job)).isZero();
        memory.assertMemoryWasEnough();
        FaultReport.of("%,d records in as many unknown cells".formatted(records))
            .count(waiting, "still waiting when all were read")
            .count(live >> 20, "MiB alive of " + (heap >> 20))
            .count(records * 1_000L / flood.toMillis(), "records/s")
            .count(completed, "checkpoints")
            .time("longest pause", storage.longestPause())
            .print();
        System.out.println("[fault] memory in use, garbage included: " + memory.report());
      }
    }
  }

  @Test
  void aBusyCityWhoseCatalogueComesSecondsLateKeepsAllItsPositions() throws Exception {
    int records = 100_000;
    int cells = 500;
    List<TowerFact> towers = IntStream.range(0, cells).mapToObj(UnknownCellsIT::tower).toList();
    try (LocationRun run =
        new LocationRun(
            stack, directory, "busy-city", "job.parallelism=2", "locate.max-wait=1 min")) {
      String job = run.submit();
      Instant began = Instant.now();
      // A third of them in one cell.
      send(run, records, i -> record("user-" + i % 20_000, i % 3 == 0 ? 0 : i % cells, i));
      await("all wait")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.metrics(job).waiting() == records);
      Chaos.last(began, Duration.ofSeconds(4));
      Duration late = Duration.between(began, Instant.now());
      run.publish(towers);
      run.drain(job);

      LocationMetrics metrics = run.metrics(job);
      assertThat(metrics.unlocated()).as("records without coordinates").isZero();
      assertThat(run.historyDocuments()).isEqualTo(records);
      for (String collection : run.historyCollections()) {
        assertThat(
                run.database()
                    .getCollection(collection)
                    .countDocuments(Filters.exists("loc", false)))
            .isZero();
      }
      FaultReport.of("Catalogue of a busy city comes late")
          .count(records, "records waited, a third of them for one cell, and all were located")
          .time("catalogue after", late)
          .print();
    }
  }

  @Test
  void aRecordOfAnUnknownCellGetsTheCellsPositionInBothCollectionsByItsReplay() throws Exception {
    List<TowerFact> towers = List.of(tower(1), tower(2));
    List<Message> messages = IntStream.range(0, 60).mapToObj(UnknownCellsIT::message).toList();
    try (LocationRun run =
        new LocationRun(stack, directory, "replayed-later", "locate.max-wait=1 s")) {
      String job = run.submit();
      run.send(messages);
      run.drain(job);
      run.assertHolds(new Oracle(List.<TowerFact>of()), messages);

      run.publish(towers);
      run.drain(job);
      run.send(messages);
      run.drain(job);

      run.assertHolds(new Oracle(towers), messages);
      // Beside a position of its own, too, and far from it or not.
      MongoCollection<Document> history = run.database().getCollection("history_2026_11");
      assertThat(history.countDocuments(Filters.exists("cellLoc"))).isEqualTo(40);
      assertThat(history.countDocuments(Filters.eq("far", true))).isEqualTo(20);
    }
  }

  private static void send(LocationRun run, int records, IntFunction<String> record) {
    String topic = run.config().kafka().locationTopic("json");
    for (int from = 0; from < records; from += RECORDS_PER_MESSAGE) {
      String message =
          IntStream.range(from, Math.min(records, from + RECORDS_PER_MESSAGE))
              .mapToObj(record)
              .collect(Collectors.joining(",", "[", "]"));
      var unused = run.producer().send(new ProducerRecord<>(topic, message.getBytes(UTF_8)));
    }
    run.producer().flush();
  }

  private static String record(String user, int cid, int i) {
    return "{\"user\":\"%s\",\"cell\":\"310-1-7-%d\",\"ts\":%d}"
        .formatted(user, cid, NOON.toEpochMilli() + i);
  }

  /** In a cell, or also at a position of its own: near that cell, or far from it. */
  private static Message message(int i) {
    Fact inCell = new Fact("user-" + i % 7, 310, 1, 7, 1 + i % 2, null, NOON.plusMillis(i));
    String text = record(inCell.user(), 1 + i % 2, i);
    if (i % 3 == 0) {
      return new Message("json", text, List.of(inCell), null);
    }
    Own own = new Own(i / 1e4, i % 3 == 1 ? 51.5 : 52.5, 20.0, null, "gnss");
    String withPosition =
        text.replace(
            "}",
            ",\"position\":{\"lon\":%s,\"lat\":%s,\"accuracy\":20}}"
                .formatted(own.lon(), own.lat()));
    return new Message("json", withPosition, List.of(inCell.beside(own)), null);
  }

  private static TowerFact tower(int cid) {
    return new TowerFact(
        310, 1, 7, cid, "LTE", List.of(new Version(Instant.EPOCH, cid / 1e4, 51.5, 1_000)));
  }
}
