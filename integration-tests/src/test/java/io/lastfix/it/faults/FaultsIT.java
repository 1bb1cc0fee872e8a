package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.StorageWatch;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.LiveHeap;
import io.lastfix.local.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Does harm to TaskManagers and to the broker while records come in, and runs two jobs at once;
 * then compares both collections with the {@link Oracle}.
 */
class FaultsIT {
  private static final long SEED = 20261123;
  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(1_000, 1_500);
  private static final int USERS = 2_000;

  /** So many that Last Known Location has little to coalesce. */
  private static final int MANY_USERS = 50_000;

  /** Messages at a time, while a test waits for a job to read any. */
  private static final int TRICKLE = 50;

  /** More than the job rejects between two of its metrics. */
  private static final int BAD_MESSAGES = 50_000;

  private static final int SAMPLES = 10;

  /** With those of a slow machine. */
  private static final int MOST_SAMPLES = 60;

  private static final String HEAP = "Status.JVM.Memory.Heap.";

  /**
   * What the sinks and the Kafka consumers may hold, amply; half of what the long form sends would
   * take more.
   */
  private static final long MOST_HEAP_GROWTH = 64L << 20;

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  /** With no slot to spare: a job of parallelism 4 needs both TaskManagers. */
  @BeforeAll
  static void startServers() {
    stack = TestStack.startCold(directory, 2, 2);
  }

  /** Long form only: the test below kills both of them, too, with fewer checkpoints between. */
  @Test
  @EnabledIf(
      value = "io.lastfix.it.harness.Chaos#isLong",
      disabledReason = "long form only (-Pchaos)")
  void nothingIsLostOrDoubledWhenATaskManagerIsKilledTwice() throws Exception {
    Scenario scenario = new Scenario(SEED, 200_000, USERS);
    underLoad(
        "TaskManager killed twice",
        scenario,
        "checkpoint.interval=2 s",
        (run, job, load) -> {
          killWhileRecordsComeIn(
              stack.cluster().taskManagerProcesses(), new Random(SEED), run, job, load);
        });
  }

  /**
   * At each kill some bulks are stored that no checkpoint covers yet, or are about to be: they are
   * written again afterwards.
   */
  @Test
  void nothingIsLostOrDoubledWhenKilledBetweenABulkWriteAndItsCheckpoint() throws Exception {
    int rounds = Chaos.shortOrLong(2, 20);
    Random random = new Random(SEED);
    Scenario scenario = new Scenario(SEED + 1, Chaos.shortOrLong(20_000, 400_000), USERS);
    List<ServerProcess> victims = new ArrayList<>();
    while (victims.size() < rounds) {
      List<ServerProcess> each = new ArrayList<>(stack.cluster().taskManagerProcesses());
      Collections.shuffle(each, random);
      victims.addAll(each);
    }
    long duplicatesAbsorbed =
        underLoad(
            "TaskManager killed at random moments (%d)".formatted(rounds),
            scenario,
            "checkpoint.interval=8 s",
            (run, job, load) -> killWhileRecordsComeIn(victims, random, run, job, load));
    assertThat(duplicatesAbsorbed).as("records that were written once more").isPositive();
  }

  /**
   * Each kill has a share of the messages to itself, so that none comes too late: records come in
   * before it, at a random moment of it, and while the job restarts.
   */
  private static void killWhileRecordsComeIn(
      List<ServerProcess> victims, Random random, LocationRun run, String job, Load load)
      throws IOException {
    int share = load.size() / victims.size();
    Supervisor supervisor = new Supervisor(victims.size());
    for (int kill = 0; kill < victims.size(); kill++) {
      load.sendOnly((kill + 1) * share);
      load.awaitStored(kill * share + MESSAGES_PER_SECOND + random.nextInt(share / 2));
      assertThat(run.lag()).as("messages that no checkpoint covers").isPositive();
      assertThat(load.stored()).as("messages sent").isLessThan((kill + 1) * share);
      killAndRestart(victims.get(kill), run, job, supervisor);
    }
    // More often where the JobManager has not missed the TaskManager yet: it begins by giving tasks
    // to the dead one.
    assertThat(run.restarts(job)).as("restarts").isGreaterThanOrEqualTo(victims.size());
  }

  private static void killAndRestart(
      ServerProcess taskManager, LocationRun run, String job, Supervisor supervisor)
      throws IOException {
    // A process begins a new log when it is started again.
    assertEveryLedgerBalanced();
    long before = run.restarts(job);
    taskManager.kill();
    taskManager.start();
    run.awaitRestart(job, before, supervisor::startWhatEndedByItself);
  }

  /**
   * As the operator's would, this starts TaskManagers again that ended by themselves, for a reason
   * that is known; see docs/decisions/jobs.md.
   */
  private static final class Supervisor {
    private static final List<String> REASONS =
        List.of("Tasks of this TaskManager are deadlocked", "did not exit gracefully");

    private final int most;
    private int starts;

    /** For that number of kills: of 20, two ended another TaskManager. */
    Supervisor(int kills) {
      most = Math.max(1, kills / 4);
    }

    void startWhatEndedByItself() {
      for (ServerProcess taskManager : stack.cluster().taskManagerProcesses()) {
        if (!taskManager.isRunning()) {
          String reason = reason(taskManager.logFile());
          System.out.printf("[fault] %s had ended by itself: %s%n", taskManager.name(), reason);
          starts++;
          assertThat(starts).as("TaskManagers that ended by themselves").isLessThanOrEqualTo(most);
          taskManager.start();
        }
      }
    }

    private static String reason(Path log) {
      try (Stream<String> lines = Files.lines(log)) {
        return lines
            .filter(line -> REASONS.stream().anyMatch(line::contains))
            .findFirst()
            .orElseThrow(
                () -> new AssertionError("a TaskManager ended for an unknown reason: " + log));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void nothingIsLostOrDoubledWhenTheBrokerIsKilledAndRestarted() throws Exception {
    Duration outage = Duration.ofSeconds(Chaos.shortOrLong(8, 150));
    Scenario scenario = new Scenario(SEED + 2, Chaos.shortOrLong(20_000, 200_000), USERS);
    underLoad(
        "Kafka broker killed for %d s".formatted(outage.toSeconds()),
        scenario,
        "checkpoint.interval=2 s",
        (run, job, load) -> {
          load.awaitStored(2 * MESSAGES_PER_SECOND);
          Instant began = Instant.now();
          stack.broker().processes().forEach(ServerProcess::kill);
          Chaos.last(began, outage);
          stack.broker().start();
          stack.broker().awaitReady(LocationRun.LIMIT);
          load.awaitStored(load.stored() + 2 * MESSAGES_PER_SECOND);
          assertThat(run.restarts(job)).as("restarts of the job").isZero();
        });
  }

  /**
   * The job has read more than it has rejected yet when the broker dies, so rejections are in
   * flight. Closing their producer takes the whole delivery timeout. In the long form that is more
   * than Flink gives a cancelled task by default.
   */
  @Test
  void aJobCancelledWhileKafkaIsAwayLeavesItsTaskManagersAlive() throws Exception {
    Duration delivery = Duration.ofSeconds(Chaos.shortOrLong(70, 200));
    String fault = "Job cancelled while Kafka is away";
    Scenario scenario = new Scenario(SEED + 5, 100);
    List<Message> good = scenario.withoutUnknownCells(scenario.messages());
    List<Long> processes = taskManagerPids();
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            LocationRun.nameFor(fault),
            "job.parallelism=4",
            "kafka.properties.delivery.timeout.ms=" + delivery.toMillis())) {
      String job = run.submitAndStore(scenario.allTowers(), good);
      long before = rejections(run, job);
      String topic = run.config().kafka().locationTopic("json");
      for (int i = 0; i < BAD_MESSAGES; i++) {
        var unused = run.producer().send(new ProducerRecord<>(topic, "bad".getBytes(UTF_8)));
      }
      run.producer().flush();
      await("rejections are in flight")
          .atMost(LocationRun.LIMIT)
          .until(() -> rejections(run, job) > before);
      stack.broker().processes().forEach(ServerProcess::kill);
      try {
        Instant began = Instant.now();
        stack.flink().cancel(job);
        await("the job has ended")
            .atMost(delivery.plus(LocationRun.LIMIT))
            .until(() -> run.isOver(job));
        Duration took = Duration.between(began, Instant.now());

        assertThat(stack.cluster().taskManagerProcesses())
            .allSatisfy(
                taskManager -> assertThat(taskManager.isRunning()).as(taskManager.name()).isTrue());
        assertThat(taskManagerPids()).isEqualTo(processes);
        assertThat(took)
            .as("time to cancel, which must not have been easier than meant")
            .isGreaterThan(delivery.dividedBy(2));
        FaultReport.of(fault).time("cancelled in", took).print();
      } finally {
        stack.broker().start();
        stack.broker().awaitReady(LocationRun.LIMIT);
      }
    }
  }

  private static List<Long> taskManagerPids() {
    return stack.cluster().taskManagerProcesses().stream().map(ServerProcess::pid).toList();
  }

  private static long rejections(LocationRun run, String job) throws Exception {
    return run.metrics(job).rejectedByReason().values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Every bulk takes two seconds longer, and more comes in than the sinks may hold: they fill to
   * their bound and hold back the source. The heap is compared after a collection, before and at
   * the end of the slow time.
   */
  @Test
  void aSlowDatabaseMakesTheLagGrowAndNotTheHeap() throws Exception {
    Duration slow = Duration.ofSeconds(Chaos.shortOrLong(10, 120));
    int bound = Chaos.shortOrLong(1_000, 10_000);
    String fault = "MongoDB slow for %d s".formatted(slow.toSeconds());
    Scenario scenario = new Scenario(SEED + 4, Chaos.shortOrLong(60_000, 500_000), MANY_USERS);
    List<Message> messages = scenario.messages();
    ReplicaSet mongo = new ReplicaSet(stack.mongo());
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            LocationRun.nameFor(fault),
            "job.parallelism=4",
            // The default. Both sinks are in one task: at a checkpoint each second it would be
            // flushing, and take in nothing, before they are full.
            "checkpoint.interval=10 s",
            "sink.max-buffered-records=" + bound,
            "sink.max-records-per-bulk=" + bound / 10)) {
      String job =
          run.submitAndStore(scenario.allTowers(), messages.subList(0, MESSAGES_PER_SECOND));
      long liveBefore = liveHeapBytes();
      awaitNextCheckpoint(job);
      mongo.setWriteDelay(0, Duration.ofSeconds(2));
      List<MemoryAndLag> samples = new ArrayList<>();
      long liveWhileSlow;
      // Faster than what goes through: so many seconds' worth is sent in half of them.
      int perSecond = (int) (2L * messages.size() / slow.toSeconds());
      try (Load load =
          Load.start(run, messages.subList(MESSAGES_PER_SECOND, messages.size()), perSecond)) {
        Instant began = Instant.now();
        // On a slow machine a checkpoint can begin before the sinks are full. They fill behind it,
        // since nothing else empties the topic.
        for (int i = 1; i <= SAMPLES || (i <= MOST_SAMPLES && !areFull(samples, bound)); i++) {
          Chaos.last(began, slow.multipliedBy(i).dividedBy(SAMPLES));
          MemoryAndLag sample = MemoryAndLag.now(stack, run, job);
          sample.print(fault, Duration.between(began, Instant.now()));
          samples.add(sample);
        }
        load.finish();
        liveWhileSlow = liveHeapBytes();
      } finally {
        mongo.setWriteDelay(0, Duration.ZERO);
      }
      Instant fastAgain = Instant.now();
      run.drain(job);
      Duration drained = Duration.between(fastAgain, Instant.now());

      assertThat(samples)
          .as("what a sink's subtask holds stays within its bound")
          .allSatisfy(
              sample -> {
                assertThat(sample.fullestBuffer()).isLessThanOrEqualTo(bound);
              })
          .as("the sinks were full")
          .matches(all -> areFull(all, bound));
      assertThat(samples.get(SAMPLES - 1).lag())
          .as("lag at the end of the slow time")
          .isGreaterThan(samples.get(0).lag());
      assertThat(liveWhileSlow - liveBefore)
          .as("growth of what is alive on the heaps of both TaskManagers")
          .isLessThan(MOST_HEAP_GROWTH);
      run.assertHolds(new Oracle(scenario.allTowers()), messages);
      run.assertRejected(messages, run.rejected());
      long records = run.assertCountsReconcile(job, messages);
      assertThat(run.restarts(job)).as("restarts of the job").isZero();
      FaultReport.of(fault)
          .count(records, "records")
          .count((liveWhileSlow - liveBefore) >> 20, "MiB more alive on the heaps")
          .time("drained in", drained)
          .count(0, "restarts")
          .print();
    }
  }

  private static void awaitNextCheckpoint(String job) throws Exception {
    long before = stack.flink().latestCompletedCheckpoint(job);
    await("a checkpoint has completed")
        .atMost(LocationRun.LIMIT)
        .until(() -> stack.flink().latestCompletedCheckpoint(job) > before);
  }

  private static boolean areFull(List<? extends MemoryAndLag> samples, int bound) {
    return samples.stream().anyMatch(sample -> sample.fullestBuffer() >= bound * 9L / 10);
  }

  /** What is alive on the heaps of all TaskManagers. */
  private static long liveHeapBytes() throws IOException, InterruptedException {
    long bytes = 0;
    for (ServerProcess taskManager : stack.cluster().taskManagerProcesses()) {
      bytes += LiveHeap.bytes(taskManager.pid());
    }
    return bytes;
  }

  private static long goodRecords(List<Message> messages) {
    return messages.stream().mapToLong(message -> message.facts().size()).sum();
  }

  /**
   * One moment of a job.
   *
   * @param heapUsed bytes, of the TaskManager that uses most
   * @param heapMax bytes that a TaskManager may use
   * @param lag messages not stored yet
   * @param fullestBuffer writes that one subtask of a sink holds
   */
  private record MemoryAndLag(long heapUsed, long heapMax, long lag, long fullestBuffer) {
    static MemoryAndLag now(TestStack stack, LocationRun run, String job) throws IOException {
      FlinkRest flink = stack.flink();
      long used = 0;
      long max = 0;
      for (ServerProcess taskManager : stack.cluster().taskManagerProcesses()) {
        used =
            Math.max(
                used, flink.taskManagerMetric(taskManager.name(), HEAP + "Used").orElseThrow());
        max = flink.taskManagerMetric(taskManager.name(), HEAP + "Max").orElseThrow();
      }
      double fullest =
          flink
              .metrics(job, id -> id.endsWith("Writer.bufferedWrites"), Aggregation.MAX)
              .values()
              .stream()
              .mapToDouble(Double::doubleValue)
              .max()
              .orElseThrow();
      return new MemoryAndLag(used, max, run.lag(), (long) fullest);
    }

    void print(String fault, Duration since) {
      FaultReport.of(fault)
          .time("after", since)
          .count(heapUsed >> 20, "MiB of heap used")
          .count(heapMax >> 20, "MiB at most")
          .count(lag, "messages of lag")
          .count(fullestBuffer, "writes in the fullest buffer")
          .print();
    }
  }

  /** What is done to the servers while records come in. */
  private interface Harm {
    void doIt(LocationRun run, String job, Load load) throws Exception;
  }

  /**
   * @return how many records were written once more, without those that the input repeats
   */
  private static long underLoad(String fault, Scenario scenario, String setting, Harm harm)
      throws Exception {
    List<Message> messages = scenario.messages();
    try (LocationRun run =
        new LocationRun(
            stack, directory, LocationRun.nameFor(fault), "job.parallelism=4", setting)) {
      long insertsBefore = insertsTried(run);
      String job =
          run.submitAndStore(scenario.allTowers(), messages.subList(0, MESSAGES_PER_SECOND));
      try (StorageWatch watch = StorageWatch.start(run);
          Load load = Load.startAfterFirstSecond(run, messages, MESSAGES_PER_SECOND)) {
        harm.doIt(run, job, load);
        long restarts = run.restarts(job);
        load.finish();
        run.drain(job);
        Duration longestPause = watch.longestPause();
        assertThat(run.restarts(job)).as("restarts once the servers were back").isEqualTo(restarts);
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.distinctRejected());
        long good = goodRecords(messages);
        Ledger ledger =
            run.assertLedgerBalances(job, messages.stream().mapToLong(Message::records).sum());
        assertThat(ledger.stored() + ledger.duplicates()).as(ledger.text()).isEqualTo(good);
        assertEveryLedgerBalanced();
        long duplicatesAbsorbed = insertsTried(run) - insertsBefore - good;
        FaultReport.of(fault)
            .count(messages.stream().mapToLong(Message::records).sum(), "records")
            .time("longest pause", longestPause)
            .count(restarts, "restarts")
            .count(duplicatesAbsorbed, "duplicates absorbed")
            .print();
        return duplicatesAbsorbed;
      }
    }
  }

  /** The job logs each completed checkpoint that leaves records unaccounted for. */
  private static void assertEveryLedgerBalanced() throws IOException {
    for (ServerProcess taskManager : stack.cluster().taskManagerProcesses()) {
      try (Stream<String> lines = Files.lines(taskManager.logFile())) {
        assertThat(lines.filter(line -> line.contains("does not balance"))).isEmpty();
      }
    }
  }

  /**
   * The inserts that mongod was asked for, whatever became of them: a job that restarts forgets its
   * own counts, the server does not.
   */
  private static long insertsTried(LocationRun run) {
    Document status = run.database().runCommand(new Document("serverStatus", 1));
    return ((Number) status.get("opcounters", Document.class).get("insert")).longValue();
  }

  /** By different groups in the long form only: there each job just reads all by itself. */
  static Stream<Arguments> groups() {
    Arguments one = Arguments.of("Two jobs at once in one group", "");
    return Chaos.isLong()
        ? Stream.of(Arguments.of("Two jobs at once in different groups", "-second"), one)
        : Stream.of(one);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("groups")
  void twoJobsOverTheSameTopicsAtOnceGiveTheSameResult(String fault, String suffix)
      throws Exception {
    Scenario scenario = new Scenario(SEED + 3, Chaos.shortOrLong(20_000, 200_000), USERS);
    List<Message> messages = scenario.messages();
    String name = LocationRun.nameFor(fault);
    try (LocationRun first = new LocationRun(stack, directory, name, "job.parallelism=2");
        LocationRun second =
            new LocationRun(
                stack, directory, name, "job.parallelism=2", "kafka.group-id=" + name + suffix)) {
      String job =
          first.submitAndStore(scenario.allTowers(), messages.subList(0, MESSAGES_PER_SECOND));
      String other = second.submit();
      boolean isOneGroup = suffix.isEmpty();
      try (Load load = Load.startAfterFirstSecond(first, messages, MESSAGES_PER_SECOND)) {
        // A trickle until the second has its catalogue, and has caught up with the first. In one
        // group it begins where the first is by then.
        await("the second job reads records")
            .atMost(LocationRun.LIMIT)
            .until(
                () -> {
                  load.sendOnly(load.stored() + TRICKLE);
                  return second.metrics(other).records() > 0;
                });
        load.sendOnly(load.stored());
        first.drain(job);
        second.drain(other);
        assertThat(List.of(first.catalogGroup(job), second.catalogGroup(other)))
            .as("groups of which each has committed all of the catalogue")
            .doesNotHaveDuplicates()
            .allSatisfy(group -> assertThat(first.lagOfCells(group)).isZero());
        long before = second.metrics(other).records();
        assertThat(load.stored()).as("messages sent before both read").isLessThan(load.size() / 2);
        load.sendOnly(load.size());
        load.awaitStored(load.size());
        // In one group each job takes the other's commits of the location records' offsets for its
        // own: their lag says nothing of it.
        long good = goodRecords(messages);
        await("the first job has read all")
            .atMost(LocationRun.LIMIT)
            .until(() -> first.metrics(job).records() == good);
        first.drain(job);
        second.drain(other);
        first.assertHolds(new Oracle(scenario.allTowers()), messages);
        first.assertRejected(messages, first.distinctRejected());
        long repeated = good - first.historyDocuments();
        LocationMetrics counts = first.metrics(job);
        LocationMetrics otherCounts = second.metrics(other);
        assertThat(counts.records()).as("records the first read").isEqualTo(good);
        assertThat(otherCounts.records()).as("records the second read").isGreaterThan(before);
        if (!isOneGroup) {
          assertThat(otherCounts.records()).as("records the second read").isEqualTo(good);
        }
        assertThat(counts.historyInserted() + otherCounts.historyInserted())
            .as("inserted by both")
            .isEqualTo(first.historyDocuments());
        FaultReport.of(fault)
            .count(messages.stream().mapToLong(Message::records).sum(), "records")
            .count(first.restarts(job) + second.restarts(other), "restarts")
            .count(counts.historyInserted(), "inserted by the first")
            .count(otherCounts.historyInserted(), "by the second")
            .count(
                counts.historyDuplicates() + otherCounts.historyDuplicates() - repeated,
                "duplicates absorbed")
            .print();
      }
    }
  }
}
