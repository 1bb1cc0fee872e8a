package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.Filters;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
import io.lastfix.store.history.PartitionPeriod;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Valid records of thousands of different periods, which nobody has a partition for, among good
 * traffic: the good records stay as fresh as they were, checkpoints complete, and each of the
 * others is in History or rejected.
 */
class PoisonPeriodsIT {
  private static final int GOOD_PER_SECOND = 200;
  private static final Duration BEFORE = Duration.ofSeconds(Chaos.shortOrLong(10, 60));
  private static final Duration ATTACK = Duration.ofSeconds(Chaos.shortOrLong(30, 300));
  private static final int MESSAGES = Chaos.shortOrLong(1, 10);

  /** Of the poison; with all of its periods it ends long before today. */
  private static final Instant FIRST = Instant.parse("2001-01-01T12:00:00Z");

  /** Of several subtasks, so that these race for the same new partitions. */
  private static final List<TowerFact> TOWERS =
      IntStream.rangeClosed(1, 8)
          .mapToObj(
              cid ->
                  new TowerFact(
                      310, 4, 0, cid, "LTE", List.of(new Version(Instant.EPOCH, 1.5, 2.5))))
          .toList();

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  /** By months and hours in the long form. */
  static Stream<Arguments> attacks() {
    Arguments days = Arguments.of(PartitionPeriod.DAY, 2_000);
    return Chaos.isLong()
        ? Stream.of(
            days,
            Arguments.of(PartitionPeriod.MONTH, 280),
            Arguments.of(PartitionPeriod.HOUR, 2_000))
        : Stream.of(days);
  }

  @ParameterizedTest(name = "of {1} periods of a {0}")
  @MethodSource("attacks")
  void aMessageOfManyPeriodsHoldsUpNoGoodRecord(PartitionPeriod period, int periods)
      throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            LocationRun.nameFor("poison " + period),
            "job.parallelism=4",
            "history.period=" + period)) {
      run.publish(TOWERS);
      String job = run.submit();
      try (GoodTraffic good = GoodTraffic.start(run, TOWERS.get(0), GOOD_PER_SECOND)) {
        good.awaitStored(GOOD_PER_SECOND);
        Duration before = good.percentile(95, Instant.now(), BEFORE);

        long checkpointsBefore = stack.flink().latestCompletedCheckpoint(job);
        Instant began = Instant.now();
        for (int i = 0; i < MESSAGES; i++) {
          send(run, poison(i, period, periods));
          Duration share = ATTACK.dividedBy(MESSAGES);
          Chaos.last(began.plus(share.multipliedBy(i)), share);
        }
        Duration during = good.percentile(95, began, ATTACK);
        long checkpoints = stack.flink().latestCompletedCheckpoint(job) - checkpointsBefore;
        System.out.printf(
            "[poison] by %s: p95 of good records' freshness: %d ms before, %d ms during the attack;"
                + " %d partitions, %d checkpoints completed since, good ones stored %d of %d%n",
            period,
            before.toMillis(),
            during.toMillis(),
            run.historyCollections().size(),
            checkpoints,
            good.stored(),
            good.sent());
        assertThat(during).as("p95 of freshness").isLessThan(before.multipliedBy(2));
        assertThat(checkpoints).as("checkpoints completed since").isGreaterThan(5);
        good.stop();
        run.drain(job);
        good.awaitStored(good.sent());
      }
      assertReconciles(run, job, (long) MESSAGES * periods);
    }
  }

  private static void assertReconciles(LocationRun run, String job, long poison) throws Exception {
    long poisonStored =
        run.historyCollections().stream()
            .mapToLong(
                name ->
                    run.database()
                        .getCollection(name)
                        .countDocuments(Filters.regex("user", "^poison-")))
            .sum();
    long poisonRejected = 0;
    for (ConsumerRecord<byte[], byte[]> rejected : run.rejected()) {
      assertThat(LocationRun.header(rejected, "reason")).isEqualTo("too-many-partitions");
      String records = LocationRun.header(rejected, "records");
      poisonRejected += records.isEmpty() ? 1 : Long.parseLong(records);
      assertThat(new String(rejected.value(), UTF_8)).as("the message's bytes").startsWith("[{");
    }
    System.out.printf(
        "[poison] poison: %,d stored, %,d rejected, %d restarts%n",
        poisonStored, poisonRejected, run.restarts(job));
    assertThat(poisonStored + poisonRejected).as("poison stored or rejected").isEqualTo(poison);
    assertThat(poisonRejected).as("poison rejected").isPositive();
    assertThat(run.restarts(job)).as("restarts").isZero();
  }

  @Test
  void aRecordOfAPeriodThatNobodyHasMadeIsRejectedAndTheJobGoesOn() throws Exception {
    try (LocationRun run =
        new LocationRun(stack, directory, "unmade", "job.parallelism=2", "history.period=DAY")) {
      run.publish(TOWERS);
      // The first job makes what is needed today, the second one makes nothing.
      run.cancel(run.submitAndStore(TOWERS, List.of()));
      Instant now = Instant.now();
      String job = run.submit("provision=check");
      send(run, message("early", TOWERS.get(0), Instant.parse("2009-01-01T12:00:00Z")));
      send(run, message("good", TOWERS.get(0), now));
      run.drain(job);

      List<ConsumerRecord<byte[], byte[]>> rejected = run.rejected();
      assertThat(rejected).hasSize(1);
      assertThat(LocationRun.header(rejected.get(0), "reason")).isEqualTo("no-partition");
      assertThat(LocationRun.header(rejected.get(0), "detail"))
          .contains(
              "lastfix partitions create --from 2009-01-01T00:00:00Z --to 2009-01-02T00:00:00Z");
      assertThat(run.historyDocuments()).as("documents of History").isEqualTo(1);
      assertThat(run.restarts(job)).as("restarts").isZero();
    }
  }

  @ParameterizedTest(name = "with provision: {0}")
  @ValueSource(strings = {"auto", "check", "off"})
  void aSubmissionByAnotherPeriodIsRefusedUntilToldThatItIsMeant(String provision)
      throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack, directory, "changed-" + provision, "job.parallelism=1", "history.period=DAY")) {
      run.publish(TOWERS);
      String job = run.submit();
      send(run, message("good", TOWERS.get(0), Instant.now()));
      run.drain(job);
      run.cancel(job);
      List<String> before = run.historyCollections();

      assertThatThrownBy(() -> run.submit("provision=" + provision, "history.period=MONTH"))
          .hasMessageContaining("period: expected MONTH, found a partition of another period")
          .hasMessageContaining("history.on-other-period=continue")
          .hasMessageContaining("drop the collection as an administrator");
      assertThat(run.historyCollections()).as("partitions").isEqualTo(before);

      if (!provision.equals("check")) {
        run.cancel(
            run.submit(
                "provision=" + provision,
                "history.period=MONTH",
                "history.on-other-period=continue"));
      }
    }
  }

  @Test
  void partitionsOfAnotherPeriodWithoutADocumentRefuseNoSubmission() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack, directory, "partitions-emptied", "job.parallelism=1", "history.period=DAY")) {
      run.publish(TOWERS);
      run.cancel(run.submitAndStore(TOWERS, List.of()));
      assertThat(run.historyDocuments()).as("documents of History").isZero();
      assertThat(run.historyCollections()).as("partitions").isNotEmpty();

      run.cancel(run.submit("history.period=MONTH"));
    }
  }

  /** Records of as many periods, in cells of different subtasks. */
  private static String poison(int round, PartitionPeriod period, int periods) {
    return IntStream.range(0, periods)
        .mapToObj(
            i ->
                message(
                    "poison-" + round,
                    TOWERS.get(i % TOWERS.size()),
                    FIRST.plus(period.longest().multipliedBy(i + (long) round))))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String message(String user, TowerFact tower, Instant ts) {
    return "{\"user\":\"%s\",\"cell\":\"%s\",\"ts\":%d}"
        .formatted(user, tower.cell(), ts.toEpochMilli());
  }

  private static void send(LocationRun run, String message) throws Exception {
    run.producer()
        .send(
            new ProducerRecord<>(
                run.config().kafka().locationTopic("json"), message.getBytes(UTF_8)))
        .get();
  }
}
