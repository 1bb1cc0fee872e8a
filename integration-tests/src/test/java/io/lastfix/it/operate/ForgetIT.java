package io.lastfix.it.operate;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix forget} as its user types it, in mid-stream: the user's records are in flight,
 * wait in the job's state, are sent again, and stand in an old savepoint.
 */
class ForgetIT {
  private static final long SEED = 20261121;
  private static final int SIGHTINGS = 2_500;
  private static final int MESSAGES_PER_SECOND = 100;
  private static final String KEY = "a key for the test, long enough";

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void aForgottenUserIsGoneAndNeitherACrashNorAReplayNorAnOldSavepointBringsHimBack()
      throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    List<Message> before = scenario.withoutUnknownCells(scenario.firstHalf());
    List<Message> during = scenario.withoutUnknownCells(scenario.secondHalf());
    String user = userWhoWaits(scenario, before);
    Oracle oracle = new Oracle(scenario.allTowers());
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "forget",
            "job.parallelism=2",
            "locate.max-wait=10 min",
            "forgotten.refresh-interval=500 ms",
            "parse.max-timestamp-ahead=1 s")) {
      run.publish(scenario.towers());
      String first = run.submit();
      run.send(before);
      await("records of cells that are not known yet wait, the user's among them")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.lag() == 0 && run.metrics(first).waiting() > 0);
      String savepoint =
          new StopWithSavepoint(stack.flink())
              .stop(first, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
      assertThat(documentsOf(run, user)).as("documents before").isPositive();

      String job = run.resume(savepoint);
      JsonNode forgotten;
      try (Load load = Load.start(run, during, MESSAGES_PER_SECOND)) {
        load.awaitStored(MESSAGES_PER_SECOND);
        forgotten = forget(run, user).mustExitWith(0).json();
        killTaskManager(run, job);
        load.finish();
      }
      assertThat(forgotten.path("deleted").path("last_known_location").asLong()).isEqualTo(1);
      assertThat(forgotten.path("deleted").path("history_2025_12").asLong()).isPositive();
      assertThat(forgotten.path("jobs").path(0).asText()).isEqualTo(job);

      // What was sent before comes once more; the cells that records wait for become known; and the
      // device goes on.
      run.send(before);
      run.publish(scenario.lateTowers());
      Instant until = Instant.parse(forgotten.path("until").asText());
      await("the forgotten time is over").until(() -> Instant.now().isAfter(until));
      Message later = later(scenario.towers().get(0), user);
      run.send(List.of(later));
      run.drain(job);
      List<Message> stored = new ArrayList<>(without(user, before));
      stored.addAll(without(user, during));
      stored.add(later);
      run.assertHolds(oracle, stored);

      run.cancel(job);
      String restored = run.resume(savepoint);
      run.drain(restored);
      run.assertHolds(oracle, stored);
      JsonNode audit = lastfix(run, "audit", "--json").mustExitWith(0).json();
      assertThat(audit.path("forgotten").asLong())
          .isEqualTo(sightings(user, before) * 2 + sightings(user, during));
      run.cancel(restored);

      assertThat(forget(run, user, "--no-job").mustExitWith(0).json().path("deleted").size())
          .as("collections with what came later")
          .isEqualTo(2);
      Result again = forget(run, user, "--no-job").mustExitWith(3);
      assertThat(again.json().path("deleted").size()).isZero();
      assertThat(run.database().getCollection("forgotten_audit").countDocuments(exists("finished")))
          .isEqualTo(3);
      assertThat(everythingIn(run, "forgotten", "forgotten_audit")).doesNotContain(user);
    }
  }

  @Test
  void withAKeyOnlyPseudonymsAreStoredAndTheCommandsTakeTheRealId() throws Exception {
    Path key = Files.writeString(directory.resolve("key"), KEY + "\n");
    Scenario scenario = new Scenario(SEED + 1, 200);
    List<Message> messages = scenario.withoutUnknownCells(scenario.messages());
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "pseudonyms",
            "forgotten.refresh-interval=500 ms",
            "privacy.pseudonym-key=${file:%s}".formatted(key))) {
      String job = run.submitAndStore(scenario.allTowers(), messages);
      List<Message> stored = renamed(messages, ForgetIT::pseudonym);
      run.assertHolds(new Oracle(scenario.allTowers()), stored);
      String user = messages.stream().flatMap(m -> m.facts().stream()).findFirst().get().user();

      assertThat(lastfix(run, "pseudonym", user).mustExitWith(0).out().strip())
          .isEqualTo(pseudonym(user));
      assertThat(lastfix(run, "history", user, "--json").mustExitWith(0).out())
          .contains(pseudonym(user));
      lastfix(run, "where", user).mustExitWith(0);
      lastfix(run, "where", pseudonym(user), "--pseudonym").mustExitWith(0);
      lastfix(run, "where", pseudonym(user)).mustExitWith(3);
      lastfix(run, "audit").mustExitWith(0);

      // From before there was a key.
      run.database()
          .getCollection("history_2025_12")
          .insertOne(new Document("user", user).append("ts", Scenario.MIDDLE));
      forget(run, user).mustExitWith(0);

      assertThat(documentsOf(run, user)).isZero();
      run.assertHolds(new Oracle(scenario.allTowers()), without(pseudonym(user), stored));
      lastfix(run, "where", user).mustExitWith(3);
      JsonNode audit = lastfix(run, "audit", "--json").mustExitWith(0).json();
      assertThat(audit.path("forgotten").asLong()).isEqualTo(sightings(user, messages));
      run.cancel(job);
    }
  }

  /** The erasure waits for both sinks of that job, too. */
  @Test
  void theAlertsOfAForgottenUserAreDeletedBesideARunningRulesJob() throws Exception {
    Scenario scenario = new Scenario(SEED + 4, 200);
    List<Message> messages = scenario.withoutUnknownCells(scenario.messages());
    String user = messages.stream().flatMap(m -> m.facts().stream()).findFirst().get().user();
    Path rule =
        Files.writeString(directory.resolve("all.yaml"), "{id: all, when: {expr: 'user != \"\"'}}");
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "forget-alerts",
            "job.parallelism=1",
            "forgotten.refresh-interval=500 ms",
            // Also the rules job reads all.
            "source.start=earliest",
            "located.topic=forget-alerts.located",
            "rules.topic=forget-alerts.rules",
            "rules.applied-topic=forget-alerts.applied",
            "rules.alerts-topic=forget-alerts.alerts")) {
      lastfix(run, "rule", "put", rule.toString()).mustExitWith(0);
      String job = run.submitAndStore(scenario.allTowers(), messages);
      String rules = run.submitRules(null);
      await("an alert of the user").atMost(LocationRun.LIMIT).until(() -> alertsOf(run, user) > 0);

      JsonNode forgotten = forget(run, user).mustExitWith(0).json();

      assertThat(forgotten.path("jobs").path(0).asText()).isEqualTo(job);
      assertThat(forgotten.path("jobs").path(1).asText()).isEqualTo(rules);
      assertThat(alertsOf(run, user)).isZero();
      run.cancel(rules);
    }
  }

  @Test
  void withoutAClusterOrWithAJobThatDoesNotFollowNothingIsDeleted() throws Exception {
    Scenario scenario = new Scenario(SEED + 2, 50);
    try (LocationRun run =
        // The command's time limit ends long before.
        new LocationRun(stack, directory, "stale-list", "forgotten.refresh-interval=1 h")) {
      List<Message> messages = scenario.withoutUnknownCells(scenario.messages());
      run.submitAndStore(scenario.allTowers(), messages);
      String user = messages.stream().flatMap(m -> m.facts().stream()).findFirst().get().user();
      long documents = documentsOf(run, user);

      assertThat(forget(run, user, "--time-limit", "3").mustExitWith(1).err())
          .contains("the user is not erased: failed while waiting for the running job: job ")
          .contains("not every subtask has reported that it applies the erasure list")
          .contains("Running the command again is safe");
      assertThat(LastfixInProcess.run(run, "forget", user, "--yes").mustExitWith(1).err())
          .contains("no Flink cluster is configured")
          .contains("--no-job");

      assertThat(documentsOf(run, user)).isEqualTo(documents);
    }
  }

  @Test
  void aForgettingThatBreaksOffWhileItDeletesIsCompletedByTheNext() throws Exception {
    Scenario scenario = new Scenario(SEED + 3, 200);
    List<Message> messages = scenario.withoutUnknownCells(scenario.messages());
    try (LocationRun run = new LocationRun(stack, directory, "broken-off");
        MongoClient server = MongoClients.create(stack.mongoUri())) {
      run.cancel(run.submitAndStore(scenario.allTowers(), messages));
      String user =
          run.database().getCollection("last_known_location").find().first().getString("_id");
      long documents = documentsOf(run, user);

      // History's partitions first, and then no more.
      failPoint(server, new Document("skip", run.historyCollections().size()));
      assertThat(forget(run, user, "--no-job").mustExitWith(1).err())
          .contains("the user is not erased: failed while deleting")
          .contains("Running the command again is safe");
      failPoint(server, "off");
      assertThat(documents).isGreaterThan(1);
      assertThat(documentsOf(run, user)).as("documents left").isEqualTo(1);
      assertThat(run.database().getCollection("forgotten_audit").countDocuments(exists("finished")))
          .isZero();

      forget(run, user, "--no-job").mustExitWith(0);
      assertThat(documentsOf(run, user)).isZero();
      assertThat(run.database().getCollection("forgotten_audit").countDocuments(exists("finished")))
          .isEqualTo(1);
    }
  }

  /** As with a job that has a greater parse.max-timestamp-ahead, or had one once. */
  @Test
  void aRecordFromFurtherAheadThanTheCommandsOwnLimitIsDeletedToo() throws Exception {
    try (LocationRun run = new LocationRun(stack, directory, "ahead")) {
      Instant ahead = Instant.now().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.MILLIS);
      run.database()
          .getCollection(run.config().history().collectionAt(ahead.toEpochMilli()))
          .insertOne(new Document("user", "early").append("ts", Date.from(ahead)));
      run.database()
          .getCollection("last_known_location")
          .insertOne(
              new Document("_id", "early").append("last", new Document("ts", Date.from(ahead))));

      assertThat(forget(run, "early", "--no-job").mustExitWith(0).out())
          .contains("\"until\" : \"" + ahead + "\"");

      assertThat(documentsOf(run, "early")).isZero();
    }
  }

  /** Has the server close the connection instead of deleting. */
  private static void failPoint(MongoClient server, Object mode) {
    var unused =
        server
            .getDatabase("admin")
            .runCommand(
                new Document("configureFailPoint", "failCommand")
                    .append("mode", mode)
                    .append(
                        "data",
                        new Document("failCommands", List.of("delete"))
                            .append("appName", "lastfix-forget")
                            .append("closeConnection", true)));
  }

  /** One whose records wait for a cell in the state that the savepoint holds. */
  private static String userWhoWaits(Scenario scenario, List<Message> messages) {
    Set<Long> late = scenario.lateTowers().stream().map(TowerFact::cid).collect(Collectors.toSet());
    return messages.stream()
        .flatMap(message -> message.facts().stream())
        .filter(fact -> fact.mnc() == scenario.lateTowers().get(0).mnc())
        .filter(fact -> late.contains(fact.cid()))
        .map(Fact::user)
        .findFirst()
        .orElseThrow();
  }

  private static void killTaskManager(LocationRun run, String job) throws Exception {
    long restarts = run.restarts(job);
    ServerProcess taskManager = stack.cluster().taskManagerProcesses().get(0);
    taskManager.kill();
    taskManager.start();
    run.awaitRestart(job, restarts);
  }

  /** A sighting of now. */
  private static Message later(TowerFact tower, String user) {
    Fact fact =
        new Fact(
            user,
            tower.mcc(),
            tower.mnc(),
            tower.area(),
            tower.cid(),
            tower.radio(),
            Instant.now().truncatedTo(ChronoUnit.MILLIS));
    String text =
        "{\"user\":\"%s\",\"cell\":{\"radio\":\"%s\",\"mcc\":%d,\"mnc\":%d,\"area\":%d,\"cid\":%d},\"ts\":%d}"
            .formatted(
                user,
                tower.radio(),
                tower.mcc(),
                tower.mnc(),
                tower.area(),
                tower.cid(),
                fact.ts().toEpochMilli());
    return new Message("json", text, List.of(fact), null);
  }

  private static List<Message> without(String user, List<Message> messages) {
    return withFacts(messages, facts -> facts.filter(fact -> !fact.user().equals(user)));
  }

  private static List<Message> renamed(List<Message> messages, UnaryOperator<String> names) {
    return withFacts(messages, facts -> facts.map(fact -> fact.withUser(names.apply(fact.user()))));
  }

  /** Returns the messages, with other sightings expected of them. */
  private static List<Message> withFacts(
      List<Message> messages, UnaryOperator<Stream<Fact>> change) {
    return messages.stream()
        .map(
            message ->
                new Message(
                    message.profile(),
                    message.text(),
                    change.apply(message.facts().stream()).toList(),
                    message.rejectedAs()))
        .toList();
  }

  private static long sightings(String user, List<Message> messages) {
    Predicate<Fact> isHis = fact -> fact.user().equals(user);
    return messages.stream().flatMap(message -> message.facts().stream()).filter(isHis).count();
  }

  private static long documentsOf(LocationRun run, String user) {
    long documents =
        run.database().getCollection("last_known_location").countDocuments(eq("_id", user));
    for (String name : run.database().listCollectionNames()) {
      if (name.startsWith("history_")) {
        documents += run.database().getCollection(name).countDocuments(eq("user", user));
      }
    }
    return documents;
  }

  private static long alertsOf(LocationRun run, String user) {
    long alerts = 0;
    for (String name : run.database().listCollectionNames()) {
      if (name.startsWith("alerts_")) {
        alerts += run.database().getCollection(name).countDocuments(eq("_id.user", user));
      }
    }
    return alerts;
  }

  private static String everythingIn(LocationRun run, String... collections) {
    return Arrays.stream(collections)
        .flatMap(name -> run.database().getCollection(name).find().into(new ArrayList<>()).stream())
        .map(Document::toJson)
        .collect(Collectors.joining("\n"));
  }

  /** By the definition, without the job's code. */
  private static String pseudonym(String user) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY.getBytes(UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(user.getBytes(UTF_8)), 0, 16);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Result forget(LocationRun run, String user, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("forget", user, "--yes", "--json", "--flink", stack.flinkUrl()));
    arguments.addAll(List.of(more));
    return lastfix(run, arguments.toArray(String[]::new));
  }

  private static Result lastfix(LocationRun run, String... arguments) throws Exception {
    return LastfixInProcess.run(run, arguments);
  }
}
