package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.flink.FlinkRest.CheckpointTime;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.Scenario.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Valid records of thousands of different periods, which nobody has a partition for, among good
 * traffic: the good records stay as fresh as they were, checkpoints complete, and each of the
 * others is in History or rejected.
 */
class PoisonPeriodsIT {
  private static final int GOOD_PER_SECOND = 200;
  private static final Duration BEFORE = Duration.ofSeconds(Chaos.shortOrLong(15, 60));
  private static final Duration ATTACK = Duration.ofSeconds(Chaos.shortOrLong(30, 300));
  private static final int POISONED_PERIODS = 2_000;
  private static final int MESSAGES = Chaos.shortOrLong(1, 10);

  /** Of the poison; with all of its periods it ends long before today. */
  private static final Instant FIRST_DAY = Instant.parse("2001-01-01T12:00:00Z");

  private static final TowerFact TOWER =
      new TowerFact(310, 4, 0, 7, "LTE", List.of(new Version(Instant.EPOCH, 1.5, 2.5)));

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory);
  }

  @Test
  void aMessageOfTwoThousandDaysHoldsUpNoGoodRecord() throws Exception {
    try (LocationRun run =
        new LocationRun(stack, directory, "poison", "job.parallelism=2", "history.period=DAY")) {
      run.publish(List.of(TOWER));
      String job = run.submit();
      try (GoodTraffic good = GoodTraffic.start(run, TOWER, GOOD_PER_SECOND)) {
        good.awaitStored(GOOD_PER_SECOND);
        Duration before = good.percentile(95, Instant.now(), BEFORE);

        Instant began = Instant.now();
        for (int i = 0; i < MESSAGES; i++) {
          send(run, poison(i));
          Duration share = ATTACK.dividedBy(MESSAGES);
          Chaos.last(began.plus(share.multipliedBy(i)), share);
        }
        Duration during = good.percentile(95, began, ATTACK);
        List<CheckpointTime> checkpoints = stack.flink().checkpointTimes(job);
        long completed =
            checkpoints.stream()
                .filter(it -> it.triggered().isAfter(began) && it.took().isPresent())
                .count();
        System.out.printf(
            "[poison] p95 of good records' freshness: %d ms before, %d ms during the attack;"
                + " %d partitions, %d of the last checkpoints completed since, good ones stored %d of"
                + " %d%n",
            before.toMillis(),
            during.toMillis(),
            run.historyCollections().size(),
            completed,
            good.stored(),
            good.sent());
        assertThat(during).as("p95 of freshness").isLessThan(before.multipliedBy(2));
        assertThat(completed).as("checkpoints completed since").isGreaterThan(5);
        good.stop();
        run.drain(job);
        assertThat(good.stored()).as("good records stored").isEqualTo(good.sent());
      }
      assertReconciles(run, job);
    }
  }

  private static void assertReconciles(LocationRun run, String job) throws Exception {
    long poisonStored =
        run.historyCollections().stream()
            .filter(name -> name.compareTo("history_2020") < 0)
            .mapToLong(name -> run.database().getCollection(name).countDocuments())
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
    assertThat(poisonStored + poisonRejected)
        .as("poison stored or rejected")
        .isEqualTo((long) MESSAGES * POISONED_PERIODS);
    assertThat(poisonRejected).as("poison rejected").isPositive();
    assertThat(run.restarts(job)).as("restarts").isZero();
  }

  @Test
  void aRecordOfAPeriodThatNobodyHasMadeIsRejectedAndTheJobGoesOn() throws Exception {
    try (LocationRun run =
        new LocationRun(stack, directory, "unmade", "job.parallelism=2", "history.period=DAY")) {
      run.publish(List.of(TOWER));
      // The first job makes what is needed today, the second one makes nothing.
      run.cancel(run.submitAndStore(List.of(TOWER), List.of()));
      Instant now = Instant.now();
      String job = run.submit("provision=check");
      send(run, message("early", Instant.parse("2009-01-01T12:00:00Z")));
      send(run, message("good", now));
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

  private static String poison(int round) {
    return IntStream.range(0, POISONED_PERIODS)
        .mapToObj(
            day -> message("poison-" + round, FIRST_DAY.plus(day + 17L * round, ChronoUnit.DAYS)))
        .collect(Collectors.joining(",", "[", "]"));
  }

  static String message(String user, Instant ts) {
    return "{\"user\":\"%s\",\"cell\":\"310-4-0-7\",\"ts\":%d}".formatted(user, ts.toEpochMilli());
  }

  private static void send(LocationRun run, String message) throws Exception {
    run.producer()
        .send(
            new ProducerRecord<>(
                run.config().kafka().locationTopic("json"), message.getBytes(UTF_8)))
        .get();
  }
}
