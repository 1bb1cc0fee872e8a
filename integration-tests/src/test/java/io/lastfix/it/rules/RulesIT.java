package io.lastfix.it.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.kafka.messages.LocatedTopicSerializer;
import io.lastfix.jobs.kafka.messages.PresenceRecordSerializer;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.local.ServerProcess;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.rules.topic.RuleCodec;
import io.lastfix.rules.topic.RuleMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules job at real servers: it is killed, stopped and resumed, and rules change while it runs.
 * The located records are written as the location job writes them.
 */
class RulesIT {
  private static final Position AIRPORT = new Position(-122.388, 37.6155);
  private static final Position CITY = new Position(-122.42, 37.77);

  /** So long ago that event time comes from the records, not from the clock. */
  private static final Duration AGO = Duration.ofHours(6);

  private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(10);
  private static final int USERS = 20;

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  private final long begin = Instant.now().minus(AGO).toEpochMilli();

  @BeforeAll
  static void startServers() {
    // Killed and restored as in production: each start of the job loads its classes anew.
    stack = TestStack.startCold(directory.resolve("stack"), 1, 4);
  }

  private static LocationRun run(String name, String... more) throws Exception {
    List<String> settings =
        List.of(
            "profiles.names=json",
            "job.parallelism=2",
            "located.topic=" + name + ".located",
            "devices.presence-topic=" + name + ".presence",
            "rules.topic=" + name + ".rules",
            "rules.applied-topic=" + name + ".applied",
            "rules.alerts-topic=" + name + ".alerts");
    return new LocationRun(
        stack,
        directory,
        name,
        Stream.concat(settings.stream(), Stream.of(more)).toArray(String[]::new));
  }

  /**
   * In each round some users leave the fence for good, some come back too soon, and others come
   * that leave in the next round: only the state has that they were in. A record from before the
   * first start is no news.
   */
  @Test
  void afterKillsAndAResumptionAllAlertsAreStored_AndPublishedInOneForm() throws Exception {
    int kills = Chaos.shortOrLong(2, 20);
    try (LocationRun run = run("rules-kills")) {
      putFence(run);
      assertThat(put(run, "{id: left-airport, when: {fence: sfo, is: left, for: 60s}}").out())
          .contains("no job 'rules' runs");
      new KafkaTopics(run.admin(), run.config().kafka()).ensureLocated(located(run));
      send(
          run,
          List.of(
              record("before", -200, AIRPORT),
              record("before", -140, CITY),
              record("before", -70, CITY)));
      String job = submit(run);
      ServerProcess victim = stack.cluster().taskManagerProcesses().get(0);
      Set<String> expected = new TreeSet<>();
      for (int round = 0; round < kills; round++) {
        int before = stored(run).size();
        expected.addAll(sendRound(run, round));
        await("alerts of new records")
            .atMost(LocationRun.LIMIT)
            .until(() -> stored(run).size() > before);
        long restarts = run.restarts(job);
        victim.kill();
        victim.start();
        run.awaitRestart(job, restarts);
      }
      String savepoint =
          new StopWithSavepoint(stack.flink())
              .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
      String resumed = run.submitRules(savepoint);
      expected.addAll(sendRound(run, kills));

      await("all alerts")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () -> {
                assertThat(stored(run)).containsExactlyElementsOf(expected);
                Map<String, Set<String>> published = published(run);
                assertThat(published.keySet()).isEqualTo(expected);
                // A restart may have repeated some.
                assertThat(published.values()).allSatisfy(values -> assertThat(values).hasSize(1));
              });
      run.cancel(resumed);
    }
  }

  /** Once the command has returned, each subtask judges by the rule. */
  @Test
  void aRuleThatIsPutWhileRecordsFlowIsAcknowledgedByAllTasks() throws Exception {
    try (LocationRun run = run("rules-put")) {
      putFence(run);
      String job = submit(run);
      ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
      List<LocatedRecord> others = users("other").map(user -> record(user, 0, CITY)).toList();
      ScheduledFuture<?> sending =
          sender.scheduleWithFixedDelay(() -> send(run, others), 0, 20, TimeUnit.MILLISECONDS);
      try {
        assertThat(put(run, "{id: at-airport, when: {fence: sfo, is: inside}}").out())
            .contains("the job 'rules' applies it");
        send(run, users("in").map(user -> record(user, 1, AIRPORT)).toList());
        assertThat(sending.isDone()).as("a failure has ended the sending").isFalse();
      } finally {
        sender.shutdownNow();
      }

      List<String> expected =
          users("in").map(user -> alert("at-airport", user, 1, "inside")).sorted().toList();
      await("alerts of all users")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(stored(run)).isEqualTo(expected));
      run.cancel(job);
    }
  }

  /** The device has had no record. Its return shows how long it was away. */
  @Test
  void aDeviceThatWasOfflineCausesAnAlert() throws Exception {
    try (LocationRun run = run("rules-presence")) {
      put(run, "{id: gone, when: {silent: presence, for: 10 min}}");
      String job = submit(run);
      PresenceRecordSerializer serializer =
          new PresenceRecordSerializer(run.config().devices().presenceTopic());
      sendAll(
          run,
          Stream.of(
                  presence(Presence.State.ONLINE, 0, 0),
                  presence(Presence.State.OFFLINE, 60, 240),
                  presence(Presence.State.ONLINE, 300, 300),
                  presence(Presence.State.OFFLINE, 400, 580),
                  presence(Presence.State.ONLINE, 1_180, 1_180))
              .map(presence -> serializer.serialize(presence, null, null))
              .toList());

      await("the alert of the second silence")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () -> assertThat(stored(run)).containsExactly(alert("gone", "d", 400, "silent")));
      run.cancel(job);
    }
  }

  private Presence presence(Presence.State state, int seen, int since) {
    return new Presence(
        "d", state, begin + since * 1_000L, begin + seen * 1_000L, DeviceDescription.NONE);
  }

  /** Also without any checkpoint the job continues where it began, and it waits for the rules. */
  @Test
  void theFirstRecordAfterARestartMeetsAllRules() throws Exception {
    int rules = 200;
    try (LocationRun run = run("rules-restart", "checkpoint.interval=1 h")) {
      String job = submit(run);
      ServerProcess victim = stack.cluster().taskManagerProcesses().get(0);
      long restarts = run.restarts(job);
      victim.kill();
      List<String> ids = IntStream.range(0, rules).mapToObj("rule-%03d"::formatted).toList();
      sendAll(run, ids.stream().map(id -> message(run, id)).toList());
      send(run, List.of(record("first", 0, CITY)));
      victim.start();
      run.awaitRestart(job, restarts);

      List<String> expected = ids.stream().map(id -> alert(id, "first", 0, "expr")).toList();
      await("an alert of each rule")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(stored(run)).isEqualTo(expected));
      run.cancel(job);
    }
  }

  private static ProducerRecord<byte[], byte[]> message(LocationRun run, String rule) {
    String yaml = "{id: %s, when: {expr: 'user == \"first\"'}}".formatted(rule);
    RuleMessage message =
        new RuleMessage.OfRule(rule, 1, new RuleMessage.Content(yaml, "test", Instant.EPOCH));
    return new ProducerRecord<>(
        run.config().rules().topic(), RuleCodec.key(message), RuleCodec.value(message));
  }

  /**
   * Submits the job, and waits until it has decided where in its topics it begins, and each subtask
   * has acknowledged the first rules.
   */
  private static String submit(LocationRun run) throws Exception {
    String job = run.submitRules(null);
    ConsumerLag offsets = new ConsumerLag(run.admin());
    String group = Jobs.RULES.groupId(run.config().kafka());
    List<String> topics = List.of(located(run), run.config().devices().presenceTopic());
    await("the group has a beginning in each topic")
        .atMost(LocationRun.LIMIT)
        .until(
            () ->
                offsets.committed(group).keySet().stream()
                    .map(TopicPartition::topic)
                    .collect(Collectors.toSet())
                    .containsAll(topics));
    List<String> applied = List.of(run.config().rules().appliedTopic());
    await("both subtasks judge")
        .atMost(LocationRun.LIMIT)
        .until(
            () ->
                offsets.ranges(applied).values().stream().mapToLong(ConsumerLag.Range::end).sum()
                    >= 2);
    return job;
  }

  private static void putFence(LocationRun run) throws IOException {
    String file =
        file(
            run,
            "sfo.json",
            "{\"type\":\"Point\",\"coordinates\":[%s,%s]}".formatted(AIRPORT.lon(), AIRPORT.lat()));
    LastfixInProcess.run(run, "fence", "put", "sfo", file, "--radius", "1500").mustExitWith(0);
  }

  private static Result put(LocationRun run, String rule) throws IOException {
    return LastfixInProcess.run(run, "rule", "put", file(run, "rule.yaml", rule), "--wait", "60s")
        .mustExitWith(0);
  }

  private static String file(LocationRun run, String name, String content) throws IOException {
    Path folder = Files.createDirectories(directory.resolve(run.config().name()));
    return Files.writeString(folder.resolve(name), content).toString();
  }

  /**
   * Sends a round, in the order of the timestamps.
   *
   * @return the alerts that it causes
   */
  private Set<String> sendRound(LocationRun run, int round) {
    int second = Math.toIntExact(BETWEEN_ROUNDS.toSeconds()) * round;
    List<LocatedRecord> records = new ArrayList<>();
    Set<String> alerts = new TreeSet<>();
    users("left-%d".formatted(round))
        .forEach(
            user -> {
              records.add(record(user, second, AIRPORT));
              records.add(record(user, second + 60, CITY));
              records.add(record(user, second + 130, CITY));
              alerts.add(alert("left-airport", user, second + 60, "left"));
            });
    users("back-%d".formatted(round))
        .forEach(
            user -> {
              records.add(record(user, second, AIRPORT));
              records.add(record(user, second + 60, CITY));
              records.add(record(user, second + 100, AIRPORT));
            });
    users("stays-%d".formatted(round)).forEach(user -> records.add(record(user, second, AIRPORT)));
    if (round > 0) {
      users("stays-%d".formatted(round - 1))
          .forEach(
              user -> {
                records.add(record(user, second + 10, CITY));
                records.add(record(user, second + 90, CITY));
                alerts.add(alert("left-airport", user, second + 10, "left"));
              });
    }
    records.sort(Comparator.comparingLong(LocatedRecord::timestampMillis));
    send(run, records);
    return alerts;
  }

  private static Stream<String> users(String name) {
    return IntStream.range(0, USERS).mapToObj(user -> name + "-" + user);
  }

  private LocatedRecord record(String user, int second, Position position) {
    return new LocatedRecord(
        user,
        new Place.AtFix(new Fix(position, PositionSource.GNSS)),
        begin + second * 1_000L,
        null,
        false);
  }

  private String alert(String rule, String user, int second, String kind) {
    return "%s %s %d %s".formatted(rule, user, begin + second * 1_000L, kind);
  }

  private static void send(LocationRun run, List<LocatedRecord> records) {
    LocatedTopicSerializer serializer = new LocatedTopicSerializer(located(run), () -> {});
    sendAll(run, records.stream().map(record -> serializer.serialize(record, null, null)).toList());
  }

  private static String located(LocationRun run) {
    return Objects.requireNonNull(run.config().locatedTopic());
  }

  private static void sendAll(LocationRun run, List<ProducerRecord<byte[], byte[]>> messages) {
    List<Future<RecordMetadata>> answers =
        messages.stream().map(message -> run.producer().send(message)).toList();
    run.producer().flush();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.get().hasOffset()).isTrue());
  }

  /** Sorted; the version is not part of it, so a second alert of another version would show. */
  private static List<String> stored(LocationRun run) {
    List<String> alerts = new ArrayList<>();
    for (String name : run.database().listCollectionNames()) {
      if (name.startsWith("alerts_")) {
        for (Document alert : run.database().getCollection(name).find()) {
          Document id = alert.get("_id", Document.class);
          alerts.add(
              "%s %s %d %s"
                  .formatted(
                      id.getString("rule"),
                      id.getString("user"),
                      id.getDate("at").toInstant().toEpochMilli(),
                      id.getString("kind")));
        }
      }
    }
    alerts.sort(Comparator.naturalOrder());
    return alerts;
  }

  /** As {@link #stored}, each with the different messages about it. */
  private static Map<String, Set<String>> published(LocationRun run) throws Exception {
    Map<String, Set<String>> alerts = new TreeMap<>();
    new TopicReader(run.config().kafka()::clientProperties)
        .read(
            new ConsumerLag(run.admin()).ranges(List.of(run.config().rules().alertsTopic())),
            message -> {
              Alert alert = AlertCodec.read(message.value());
              alerts
                  .computeIfAbsent(
                      "%s %s %d %s"
                          .formatted(
                              alert.rule(), alert.user(), alert.atMillis(), alert.kind().text()),
                      any -> new TreeSet<>())
                  .add(AlertCodec.json(alert).toString());
            });
    return alerts;
  }
}
