package io.lastfix.it.operate;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoCollection;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix rebuild-lkl} as its user types it, over a Last Known Location that the test has
 * damaged, while the location job goes on.
 */
class RebuildLastKnownLocationIT {
  private static final long SEED = 20261122;
  private static final int SIGHTINGS = 3_000;
  private static final int FEW_SIGHTINGS = 400;
  private static final String TS = "last.ts";

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void whatIsMissingOrBehindIsRestoredWhileTheStreamGoesOnAndNobodyIsEverMovedBack()
      throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    try (LocationRun run = new LocationRun(stack, directory, "rebuild", "job.parallelism=2")) {
      run.publish(scenario.allTowers());
      String job = run.submit();
      List<Message> sent = new ArrayList<>(scenario.firstHalf());
      run.send(sent);
      run.drain(job);
      Oracle oracle = new Oracle(scenario.allTowers());
      run.assertHolds(oracle, sent);
      long documents = locatedHistory(run);
      MongoCollection<Document> lastKnown = lastKnownLocation(run);
      List<String> users = users(lastKnown);

      // A third is gone, a third is far behind, a third is right. The stream will bring news of
      // some only, so that the others have nobody but the rebuild to restore them.
      List<String> gone = users.subList(0, users.size() / 3);
      List<String> behind = users.subList(users.size() / 3, users.size() * 2 / 3);
      Set<String> silent = everyOther(users);
      lastKnown.deleteMany(in("_id", gone));
      lastKnown.updateMany(in("_id", behind), combine(set(TS, Instant.EPOCH), set("fix", null)));
      List<Message> news = withoutNewsOf(silent, scenario.secondHalf());
      assertThat(news).as("messages during the rebuild").hasSizeGreaterThan(20);

      try (LastKnownLocationWatch watch = new LastKnownLocationWatch(run)) {
        JsonNode rebuilt;
        try (SlowSender sender = new SlowSender(run, news)) {
          rebuilt = rebuild(run).mustExitWith(0).json();
          sender.sendTheRest();
        }
        sent.addAll(news);

        assertThat(rebuilt.path("documents").asLong()).isGreaterThanOrEqualTo(documents);
        assertThat(rebuilt.path("users").asLong()).isGreaterThanOrEqualTo(users.size());
        run.drain(job);
        run.assertHolds(oracle, sent);
        watch.assertNobodyWentBack();
        assertThat(watch.changedUsers())
            .as("users that the rebuild alone could restore")
            .containsAll(restoredByTheRebuildAlone(silent, gone, behind));
      }
    }
  }

  @Test
  void aCollectionThatWasDroppedIsRebuiltAndAnotherRebuildChangesNothing() throws Exception {
    Scenario scenario = new Scenario(SEED + 1, FEW_SIGHTINGS);
    try (LocationRun run = new LocationRun(stack, directory, "dropped")) {
      run.publish(scenario.allTowers());
      String job = run.submit();
      List<Message> sent = new ArrayList<>(scenario.firstHalf());
      sent.addAll(scenario.secondHalf());
      run.send(sent);
      run.drain(job);
      run.cancel(job);
      MongoCollection<Document> lastKnown = lastKnownLocation(run);
      long users = lastKnown.countDocuments();
      lastKnown.drop();

      JsonNode all = rebuild(run, "--parallelism", "4").mustExitWith(0).json();

      run.assertHolds(new Oracle(scenario.allTowers()), sent);
      assertThat(all.path("documents").asLong()).isEqualTo(locatedHistory(run));
      assertThat(all.path("users").asLong()).isEqualTo(users);
      assertThat(all.at("/lastKnownLocation/after").asLong()).isEqualTo(users);

      // A user who is newer than anything in History stays.
      lastKnown.updateOne(
          eq("_id", users(lastKnown).get(0)), set(TS, Instant.parse("2999-01-01T00:00:00Z")));
      Set<String> before = documents(lastKnown);
      rebuild(run).mustExitWith(0);
      assertThat(documents(lastKnown)).isEqualTo(before);
    }
  }

  /** What proves above that nobody was moved back would have seen it. */
  @Test
  void theWatchSeesAUserMovedBack() throws Exception {
    try (LocationRun run = new LocationRun(stack, directory, "watch")) {
      MongoCollection<Document> lastKnown = lastKnownLocation(run);
      Instant noon = Instant.parse("2026-01-01T12:00:00Z");
      lastKnown.insertOne(
          new Document("_id", "somebody")
              .append("last", new Document("ts", noon).append("cell", "234-10-4021-20911362")));
      try (LastKnownLocationWatch watch = new LastKnownLocationWatch(run)) {
        lastKnown.updateOne(eq("_id", "somebody"), set(TS, noon.plusMillis(1)));
        watch.assertNobodyWentBack();
        lastKnown.updateOne(eq("_id", "somebody"), set(TS, noon));

        assertThatThrownBy(watch::assertNobodyWentBack)
            .isInstanceOf(AssertionError.class)
            .hasMessageContaining("last of a user from");
      }
    }
  }

  @Test
  void aDocumentThatIsNoneOfHistorysFailsTheRebuildByItsCollectionAndId() throws Exception {
    try (LocationRun run =
        new LocationRun(stack, directory, "broken", "restart.initial-backoff=100 ms")) {
      ObjectId id = new ObjectId();
      run.database()
          .getCollection("history_2026_01")
          .insertOne(
              new Document("_id", id)
                  .append("user", "350000000007919")
                  .append("ts", "noon")
                  .append("cell", "234-10-4021-20911362")
                  .append("loc", new Document("lon", 1.0).append("lat", 2.0)));

      Result result = rebuild(run).mustExitWith(1);

      assertThat(result.err())
          .contains(
              "Collection history_2026_01, _id ObjectId(\"%s\") is not a document of History: ts: expected DATE_TIME, found STRING"
                  .formatted(id))
          .doesNotContain("350000000007919", "noon");
      assertThat(lastKnownLocation(run).countDocuments()).isZero();
    }
  }

  @Test
  void withoutAPeriodOrASlotTheCommandFailsAndSaysSo() throws Exception {
    try (LocationRun run = new LocationRun(stack, directory, "full", "job.parallelism=4")) {
      run.database().createCollection("history_2026_01");
      assertThat(rebuild(run, "--from", "2026-02-01").mustExitWith(1).err())
          .contains(
              "Database full has no collection history_… of a period from 2026-02-01T00:00:00Z")
          .contains("nothing to read");

      run.submit();
      Result result = rebuild(run, "--slot-timeout", "3").mustExitWith(1);

      assertThat(result.err())
          .contains("the cluster had no slot for job ", " within 3 s (0 of 4 are free)");
    }
  }

  private static Result rebuild(LocationRun run, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("rebuild-lkl", "--json", "--flink", stack.flinkUrl()));
    arguments.addAll(List.of(more));
    return LastfixInProcess.run(run, arguments.toArray(String[]::new));
  }

  private static MongoCollection<Document> lastKnownLocation(LocationRun run) {
    return run.database().getCollection(run.config().lastKnownLocation().collection());
  }

  private static long locatedHistory(LocationRun run) {
    return Stream.of("history_2025_12", "history_2026_01")
        .mapToLong(name -> run.database().getCollection(name).countDocuments(exists("loc")))
        .sum();
  }

  private static List<String> users(MongoCollection<Document> lastKnown) {
    List<String> users = new ArrayList<>();
    for (Document document : lastKnown.find().sort(new Document("_id", 1))) {
      users.add(document.getString("_id"));
    }
    return users;
  }

  private static Set<String> documents(MongoCollection<Document> lastKnown) {
    Set<String> documents = new TreeSet<>();
    lastKnown.find().forEach(document -> documents.add(Oracle.comparable(document)));
    return documents;
  }

  private static Set<String> everyOther(List<String> users) {
    Set<String> some = new TreeSet<>();
    for (int i = 0; i < users.size(); i += 2) {
      some.add(users.get(i));
    }
    return some;
  }

  private static List<Message> withoutNewsOf(Set<String> silent, List<Message> messages) {
    return messages.stream()
        .filter(message -> message.facts().stream().noneMatch(fact -> silent.contains(fact.user())))
        .toList();
  }

  private static Set<String> restoredByTheRebuildAlone(
      Set<String> silent, List<String> gone, List<String> behind) {
    Set<String> users = new TreeSet<>(gone);
    users.addAll(behind);
    users.retainAll(silent);
    return users;
  }
}
