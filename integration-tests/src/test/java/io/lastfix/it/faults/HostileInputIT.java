package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.HostileCellEntries;
import io.lastfix.parse.HostileMessages;
import io.lastfix.parse.HostileMessages.HostileMessage;
import io.lastfix.parse.Mutations;
import io.lastfix.parse.RejectedMessage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile messages among good ones, through the running job: it is never restarted, its memory
 * keeps within its bounds, every good record is stored as the {@link Oracle} says, and every
 * hostile message is in History or in the rejected topic, by its topic, partition and offset. Which
 * of these it has to be, the decoders themselves are asked: see {@link HostileSending}.
 */
class HostileInputIT {
  private static final long SEED = 20261121;

  /** A little below what a broker takes in one request by default. */
  private static final int LARGEST_MESSAGE = 103_000_000;

  private static final int LARGE = 100_000_000;

  /** The towers that well-formed hostile messages name. */
  private static final List<TowerFact> TOWERS =
      List.of(
          tower(234, 10, 4021, 20911362, "LTE"),
          tower(234, 15, 311, 40021, "GSM"),
          tower(234, 15, 4021, 20911362, "LTE"));

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory);
  }

  private static TowerFact tower(int mcc, int mnc, int area, long cid, String radio) {
    return new TowerFact(
        mcc, mnc, area, cid, radio, List.of(new Version(Instant.EPOCH, 1.5, 51.5)));
  }

  @Test
  void knownAndMutatedMessagesAmongGoodOnesAreStoredOrRejectedOneByOne() throws Exception {
    Scenario scenario = new Scenario(SEED, Chaos.shortOrLong(3_000, 30_000));
    List<TowerFact> towers = new ArrayList<>(scenario.towers());
    towers.addAll(scenario.lateTowers());
    towers.addAll(TOWERS);
    List<Message> good = new ArrayList<>(scenario.firstHalf());
    good.addAll(scenario.secondHalf());
    try (LocationRun run =
            new LocationRun(
                stack,
                directory,
                "hostile",
                "job.parallelism=2",
                "profiles.names=" + String.join(",", ShippedProfiles.names()),
                "locate.max-wait=2 s",
                // A flipped bit in a year asks for a month since 2000, and the decoders, which say
                // what has to become of it, know of no limit: all of them are made.
                "history.max-new-partitions-per-minute=1000");
        HostileSending hostile = new HostileSending(run)) {
      raiseMaxMessageBytes(run);
      run.publish(towers);
      sendHostileCells(hostile);
      String job = run.submit();
      try (MemoryWatch memory = new MemoryWatch(stack)) {
        List<Runnable> sends = hostileSends(hostile, Chaos.shortOrLong(5_000, 200_000));
        good.forEach(message -> sends.add(() -> run.send(List.of(message))));
        Collections.shuffle(sends, new Random(SEED));
        sends.forEach(Runnable::run);
        assertAllIsStoredOrRejected(
            "known and mutated messages", run, job, hostile, towers, good, memory);
      }
    }
  }

  @Test
  void messagesOfAHundredMegabytesAreRejectedWithinTheMemory() throws Exception {
    Scenario scenario = new Scenario(SEED + 1, 500);
    List<Message> good = scenario.firstHalf();
    List<TowerFact> towers = new ArrayList<>(scenario.towers());
    towers.addAll(scenario.lateTowers());
    try (LocationRun run = new LocationRun(stack, directory, "large", "job.parallelism=1");
        HostileSending hostile = new HostileSending(run)) {
      raiseMaxMessageBytes(run);
      run.publish(towers);
      String job = run.submit();
      try (MemoryWatch memory = new MemoryWatch(stack)) {
        int half = good.size() / 2;
        run.send(good.subList(0, half));
        for (int i = 0; i < Chaos.shortOrLong(1, 10); i++) {
          hostile.location("json", null, filled(LARGE, '['));
          hostile.location("arcanum", null, filled(LARGE, '<'));
          hostile.locationCompressed("mlp", filled(LARGE, ' '));
          // Each under a key of its own: of those of one key, Kafka compacts the older ones away.
          hostile.cell(("234-15-4021-" + i).getBytes(UTF_8), filled(LARGE, ' '));
          // More than its topic takes, were it not compressed.
          hostile.locationCompressed("json", filled(LARGEST_MESSAGE + 500_000, '{'));
        }
        run.send(good.subList(half, good.size()));
        assertAllIsStoredOrRejected("messages of 100 MB", run, job, hostile, towers, good, memory);
      }
    }
  }

  private static byte[] filled(int length, char c) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) c);
    return value;
  }

  private static void sendHostileCells(HostileSending hostile) {
    byte[] key = HostileCellEntries.CELL.getBytes(UTF_8);
    HostileCellEntries.all()
        .forEach(entry -> hostile.cell(entry.key() == null ? key : entry.key(), entry.value()));
    Mutations mutations = new Mutations(new Random(SEED), HostileCellEntries.valid());
    for (int i = 0; i < Chaos.shortOrLong(500, 10_000); i++) {
      hostile.cell(key, mutations.next());
    }
  }

  private static List<Runnable> hostileSends(HostileSending hostile, int mutated) {
    List<Runnable> sends = new ArrayList<>();
    for (HostileMessage message : HostileMessages.all()) {
      byte[] key = HostileSending.key(sends.size());
      sends.add(() -> hostile.location(message.profile(), key, message.bytes()));
    }
    List<String> profiles = ShippedProfiles.names();
    Random random = new Random(SEED);
    List<Mutations> mutations =
        profiles.stream()
            .map(profile -> new Mutations(random, HostileMessages.valid(profile)))
            .toList();
    for (int i = 0; i < mutated; i++) {
      int which = i % profiles.size();
      byte[] key = HostileSending.key(i);
      byte[] value = mutations.get(which).next();
      sends.add(() -> hostile.location(profiles.get(which), key, value));
    }
    return sends;
  }

  private static void assertAllIsStoredOrRejected(
      String what,
      LocationRun run,
      String job,
      HostileSending hostile,
      List<TowerFact> towers,
      List<Message> good,
      MemoryWatch memory)
      throws Exception {
    // A drain waits for what Kafka holds when it begins: what is still on its way would be missed.
    hostile.flush();
    run.drain(job);
    List<Message> all = new ArrayList<>(good);
    all.add(hostile.good());
    run.assertHolds(new Oracle(towers), all);

    // Each rejection of a hostile message, and as many more as the good scenario has of its own.
    Map<String, Integer> expected = hostile.expectedRejections(RejectedMessage.MAX_BYTES);
    Map<String, Integer> missing = new LinkedHashMap<>(expected);
    AtomicLong others = new AtomicLong();
    run.forEachRejected(
        found -> {
          String line = HostileSending.line(found);
          if (expected.containsKey(line)) {
            missing.merge(line, -1, Integer::sum);
          } else {
            others.incrementAndGet();
          }
        });
    missing.values().removeIf(count -> count == 0);
    assertThat(missing).as("rejections that the rejected topic lacks, or has too often").isEmpty();
    long rejectedOfGood = good.stream().filter(message -> message.rejectedAs() != null).count();
    assertThat(others).as("rejections of other messages").hasValue(rejectedOfGood);

    LocationMetrics metrics = run.metrics(job);
    long records = hostile.records() + good.stream().mapToLong(m -> m.facts().size()).sum();
    long rejected = hostile.rejectedRecords("parse") + rejectedOfGood;
    assertThat(metrics.records()).as("good records").isEqualTo(records);
    assertThat(metrics.rejectedByReason().values().stream().mapToLong(Long::longValue).sum())
        .as("rejected records")
        .isEqualTo(rejected);
    assertThat(metrics.historyInserted()).isEqualTo(run.historyDocuments());
    assertThat(metrics.historyInserted() + metrics.historyDuplicates()).isEqualTo(records);
    Map<String, Double> cells =
        stack.flink().metrics(job, id -> id.startsWith("parse_cells.entries"), Aggregation.SUM);
    assertThat(cells)
        .containsEntry(
            "parse_cells.entries",
            (double) hostile.entries() + towers.stream().map(TowerFact::cell).distinct().count())
        .containsEntry("parse_cells.entriesRejected", (double) hostile.rejectedRecords("catalog"));

    assertThat(run.restarts(job)).as("restarts").isZero();
    memory.assertMemoryWasEnough();
    System.out.printf(
        "[hostile] job, %s: %,d hostile messages among %,d good ones: %,d records stored or there"
            + " already, %,d records and %,d catalogue messages rejected, 0 restarts; TaskManager"
            + " %s%n",
        what,
        hostile.messages(),
        good.size(),
        records,
        rejected,
        hostile.rejectedRecords("catalog"),
        memory.report());
  }

  /** For the large ones. */
  private static void raiseMaxMessageBytes(LocationRun run) throws Exception {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    List<String> topics =
        new ArrayList<>(run.config().kafka().locationTopics(run.config().profileNames()));
    topics.add(run.config().kafka().cellsTopic());
    List<AlterConfigOp> raised =
        Stream.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, TopicConfig.SEGMENT_BYTES_CONFIG)
            .map(key -> new ConfigEntry(key, Integer.toString(LARGEST_MESSAGE)))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    topics.forEach(
        topic -> changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), raised));
    run.admin().incrementalAlterConfigs(changes).all().get();
  }
}
