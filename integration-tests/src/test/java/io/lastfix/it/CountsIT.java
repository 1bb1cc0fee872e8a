package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.jobs.AnalyticsJob;
import io.lastfix.stack.Installation;
import io.lastfix.stack.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts are those of History to the record: after kills, with repeated and late records, and after
 * a count of History.
 */
class CountsIT {
  private static final long SEED = 18;
  private static final int USERS = 200;
  private static final Duration SPAN = Duration.ofMinutes(20);

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory, 1, 1, 4);
  }

  @Test
  void afterKillsTheNumbersAreThoseOfHistoryAndACountOfHistoryAddsWhatCameTooLate()
      throws Exception {
    int kills = Chaos.shortOrLong(2, 20);
    Random random = new Random(SEED);
    Instant end = Instant.now();
    List<String> messages = messages(random, end, kills * 1_500);
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "counts",
            "profiles.names=json",
            "job.parallelism=2",
            "checkpoint.interval=2 s",
            "located.topic=counts.located",
            "analytics.counts-topic=counts.counts",
            "analytics.counts-by=total,cell,area,source")) {
      String location = run.submit(Installation.jobJar(), null);
      String analytics = run.submit(Installation.jobJar(), AnalyticsJob.class, List.of());
      ServerProcess victim = stack.cluster().taskManagerProcesses().get(0);
      int share = messages.size() / kills;
      for (int kill = 0; kill < kills; kill++) {
        send(run, messages.subList(kill * share, (kill + 1) * share));
        long stored = counted(run);
        await("numbers of new records")
            .atMost(LocationRun.LIMIT)
            .until(() -> counted(run) > stored);
        long ofLocation = run.restarts(location);
        long ofAnalytics = run.restarts(analytics);
        victim.kill();
        victim.start();
        run.awaitRestart(location, ofLocation);
        run.awaitRestart(analytics, ofAnalytics);
      }
      run.drain(location);
      long history = run.historyDocuments();
      assertThat(history).isEqualTo(Set.copyOf(messages).size());
      await("all records are counted and all windows are closed, without a further record")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () -> {
                assertThat(counted(run)).isEqualTo(history);
                assertThat(states(run)).containsExactly("closed");
              });
      assertCountsAreThoseOfHistory(run);

      send(run, tooLate(end));
      run.drain(location);
      await("the records that came too late are in History")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.historyDocuments() == history + 50);
      send(run, List.of(message("marker", 1, Instant.now().toEpochMilli(), false)));
      await("the job has read what follows them")
          .atMost(LocationRun.LIMIT)
          .until(() -> counted(run) == history + 1);
      run.cancel(analytics);

      LastfixProcess.Result analyzed = lastfix(run, "analyze", "counts", "--json");
      analyzed.mustExitWith(0);
      assertThat(analyzed.out()).contains("\"documents\":" + (history + 51));
      assertCountsAreThoseOfHistory(run);
      assertThat(states(run)).containsExactly("batch");

      erase(run, "user1");
      lastfix(run, "analyze", "counts").mustExitWith(0);
      assertCountsAreThoseOfHistory(run);
      assertThat(lastfix(run, "counts", "--by", "total", "--last", "3h", "--json").out())
          .contains("\"n\":" + run.historyDocuments() + ",");
    }
  }

  private static LastfixProcess.Result lastfix(LocationRun run, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (arguments[0].equals("analyze")) {
      all.addAll(List.of("--flink", stack.flinkUrl()));
    }
    return LastfixInProcess.run(run, all.toArray(String[]::new));
  }

  /** Repeated ones among them; each may come up to five minutes after later ones. */
  private static List<String> messages(Random random, Instant end, int count) {
    List<Long> timestamps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      timestamps.add(end.toEpochMilli() - random.nextLong(SPAN.toMillis()));
    }
    Collections.sort(timestamps);
    List<String> messages = new ArrayList<>();
    for (long timestampMillis : timestamps) {
      int user = random.nextInt(USERS);
      // Half of all records are at one cell.
      int cid = random.nextBoolean() ? 1 : random.nextInt(50);
      messages.add(message("user" + user, cid, timestampMillis, random.nextInt(3) == 0));
      if (random.nextInt(10) == 0) {
        messages.add(messages.get(random.nextInt(messages.size())));
      }
    }
    for (int i = 0; i < count / 20; i++) {
      int early = random.nextInt(messages.size());
      String late = messages.remove(early);
      messages.add(Math.min(messages.size(), early + random.nextInt(count / 4)), late);
    }
    return messages;
  }

  private static List<String> tooLate(Instant end) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      messages.add(
          message("user" + i, i % 3, end.minus(Duration.ofMinutes(100)).toEpochMilli() + i, false));
    }
    return messages;
  }

  private static String message(String user, int cid, long timestampMillis, boolean hasFix) {
    String position =
        hasFix ? ",\"position\":{\"lon\":-122.4,\"lat\":%s}".formatted(37.5 + cid * 0.01) : "";
    return "{\"user\":\"%s\",\"cell\":\"310-260-7-%d\",\"ts\":%d%s}"
        .formatted(user, cid, timestampMillis, position);
  }

  private static void send(LocationRun run, List<String> messages) {
    String topic = run.config().kafka().locationTopic("json");
    List<Future<RecordMetadata>> answers =
        messages.stream()
            .map(
                message ->
                    run.producer().send(new ProducerRecord<>(topic, message.getBytes(UTF_8))))
            .toList();
    run.producer().flush();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.get().hasOffset()).isTrue());
  }

  private static List<Document> counts(LocationRun run) {
    List<Document> counts = new ArrayList<>();
    for (String name : run.database().listCollectionNames()) {
      if (name.startsWith("counts_")) {
        run.database().getCollection(name).find().into(counts);
      }
    }
    return counts;
  }

  private static long counted(LocationRun run) {
    return counts(run).stream()
        .filter(count -> by(count).equals("total"))
        .mapToLong(count -> count.getLong("n"))
        .sum();
  }

  private static Set<String> states(LocationRun run) {
    Set<String> states = new TreeSet<>();
    counts(run).forEach(count -> states.add(count.getString("state")));
    return states;
  }

  private static String by(Document count) {
    return count.get("_id", Document.class).getString("by");
  }

  /** Counts the documents by hand; an area's name is not computed, only their sum. */
  private static void assertCountsAreThoseOfHistory(LocationRun run) {
    Map<String, Long> expected = new TreeMap<>();
    Map<Long, Long> total = new HashMap<>();
    for (String collection : run.historyCollections()) {
      for (Document document : run.database().getCollection(collection).find()) {
        long window = document.getDate("ts").toInstant().toEpochMilli() / 10_000 * 10_000;
        boolean isLocated = document.containsKey("loc");
        String source = isLocated ? document.get("src", "cell") : "none";
        for (String group :
            List.of("total all", "cell " + document.getString("cell"), "source " + source)) {
          expected.merge(window + " " + group, 1L, Long::sum);
        }
        total.merge(window, 1L, Long::sum);
      }
    }
    Map<String, Long> found = new TreeMap<>();
    Map<Long, Long> areas = new HashMap<>();
    for (Document count : counts(run)) {
      Document id = count.get("_id", Document.class);
      long window = id.getDate("w").toInstant().toEpochMilli();
      if (by(count).equals("area")) {
        areas.merge(window, count.getLong("n"), Long::sum);
      } else {
        found.put(window + " " + by(count) + " " + id.getString("k"), count.getLong("n"));
      }
    }
    assertThat(found).containsExactlyEntriesOf(expected);
    assertThat(areas).containsExactlyInAnyOrderEntriesOf(total);
  }

  /** As {@code lastfix forget} does with History. */
  private static void erase(LocationRun run, String user) {
    for (String collection : run.historyCollections()) {
      var unused = run.database().getCollection(collection).deleteMany(new Document("user", user));
    }
  }
}
