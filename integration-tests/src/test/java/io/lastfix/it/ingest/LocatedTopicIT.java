package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.InsertOneModel;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.model.located.LocatedRecordFormatException;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The topic of located records and History hold the same records. The scenario has records with
 * positions of their own, at known and at unknown cells, repeated, late and broken ones.
 */
class LocatedTopicIT {
  private static final long SEED = 20261126;
  private static final int SIGHTINGS = 4_000;
  private static final int PER_SECOND = 100;

  /** Records after the last checkpoint, which the resumed job writes again. */
  private static final int REPEATED = 100;

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void theTopicHoldsWhatHistoryHoldsAlsoIfTheJobIsCancelledAndResumedFromACheckpoint()
      throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    List<Message> messages =
        Stream.concat(scenario.firstHalf().stream(), scenario.secondHalf().stream()).toList();
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "located-resumed",
            "job.parallelism=4",
            "located.topic=located-resumed.located",
            // So that records come after the last checkpoint, which the resumed job repeats.
            "checkpoint.interval=10 s")) {
      String first = run.submitAndStore(scenario.allTowers(), messages.subList(0, PER_SECOND));
      try (Load load = Load.startAfterFirstSecond(run, messages, PER_SECOND)) {
        load.sendOnly(load.size() / 2);
        load.awaitStored(PER_SECOND);
        awaitCheckpoint(first);
        long before = located(run);
        await("records are in the topic that no checkpoint covers")
            .atMost(LocationRun.LIMIT)
            .until(() -> located(run) >= before + REPEATED);
        run.cancel(first);
        load.finish();
      }
      String checkpoint = stack.flink().latestRestorePoint(first).orElseThrow().path();

      String second = run.resume(checkpoint);
      run.drain(second);

      run.assertHolds(new Oracle(scenario.allTowers()), messages);
      List<LocatedRecord> published = published(run);
      assertSameAsHistory(run, published);
      long sent = messages.stream().mapToLong(message -> message.facts().size()).sum();
      assertThat(published).as("with repetitions").hasSizeGreaterThan(Math.toIntExact(sent));
      assertThat(published).as("also without a position").anyMatch(record -> !record.isLocated());
      assertThat(run.restarts(second)).isZero();
    }
  }

  /** A savepoint of a job with the topic fits one without it, and the other way round. */
  @Test
  void theTopicIsSwitchedOnAndOffBetweenTwoRunsOfAJob() throws Exception {
    Scenario scenario = new Scenario(SEED + 1, 300);
    List<Message> half = scenario.firstHalf();
    List<Message> rest = scenario.secondHalf();
    try (LocationRun run =
        new LocationRun(stack, directory, "located-switched", "job.parallelism=2")) {
      String without = run.submitAndStore(scenario.allTowers(), half);
      assertThat(run.admin().listTopics().names().get()).doesNotContain("located-switched.located");

      String with = run.resume(stop(without), "located.topic=located-switched.located");
      run.send(rest);
      run.drain(with);
      long sent = rest.stream().mapToLong(message -> message.facts().size()).sum();
      assertThat(located(run)).isEqualTo(sent);

      String again = run.resume(stop(with));
      run.send(half);
      run.drain(again);
      assertThat(located(run)).as("the job without the topic adds nothing").isEqualTo(sent);
    }
  }

  @Test
  void aTopicThatSomebodyDeletesIsCreatedAgainAndIngestContinues() throws Exception {
    Scenario scenario = new Scenario(SEED + 2, 300);
    List<Message> half = scenario.firstHalf();
    List<Message> rest = scenario.secondHalf();
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "located-deleted",
            "job.parallelism=2",
            "located.topic=located-deleted.located",
            // Else Kafka's client waits for ten minutes, and the job restarts only then.
            "kafka.properties.max.block.ms=5000",
            "kafka.properties.request.timeout.ms=3000",
            "kafka.properties.delivery.timeout.ms=5000")) {
      String job = run.submitAndStore(scenario.allTowers(), half);
      run.admin().deleteTopics(List.of(topic(run))).all().get();

      run.send(rest);
      run.drain(job);

      run.assertHolds(
          new Oracle(scenario.allTowers()), Stream.concat(half.stream(), rest.stream()).toList());
      assertThat(located(run)).as("records in the new topic").isPositive();
    }
  }

  private static String stop(String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  /** Takes a checkpoint, and waits for its end. */
  private static void awaitCheckpoint(String job) throws Exception {
    long before = stack.flink().latestCheckpoint(job);
    var unused = stack.flink().triggerCheckpoint(job);
    await("a checkpoint has completed")
        .atMost(LocationRun.LIMIT)
        .until(() -> stack.flink().latestCompletedCheckpoint(job) > before);
  }

  private static String topic(LocationRun run) {
    return run.config().name() + ".located";
  }

  /** How many messages the topic has. */
  private static long located(LocationRun run) {
    return published(run).size();
  }

  private static List<LocatedRecord> published(LocationRun run) {
    List<LocatedRecord> records = new ArrayList<>();
    run.forEachMessage(
        topic(run),
        message -> {
          try {
            records.add(LocatedRecordCodec.read(message.key(), message.value()));
            assertThat(Arrival.read(message.headers().lastHeader(Arrival.HEADER).value()))
                .as("when the message of offset %d came", message.offset())
                .isBetween(message.timestamp() - LocationRun.LIMIT.toMillis(), message.timestamp());
          } catch (LocatedRecordFormatException e) {
            throw new AssertionError("offset " + message.offset(), e);
          }
        });
    return records;
  }

  /**
   * Of records with one identity, History keeps the one with the greatest accuracy and altitude, so
   * the topic may have more than one of them.
   */
  private static void assertSameAsHistory(LocationRun run, List<LocatedRecord> published) {
    Set<BsonBinary> stored = new HashSet<>();
    Set<BsonDocument> documents = new HashSet<>();
    for (String collection : run.historyCollections()) {
      run.database()
          .getCollection(collection, BsonDocument.class)
          .find()
          .forEach(
              document -> {
                stored.add(document.getBinary("_id"));
                documents.add(document);
              });
    }
    Set<BsonBinary> ids = new HashSet<>();
    Set<BsonDocument> expected = new HashSet<>();
    for (LocatedRecord record : published) {
      BsonDocument document =
          ((InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record))
              .getDocument();
      ids.add(document.getBinary("_id"));
      expected.add(document);
    }
    assertThat(stored).isNotEmpty();
    assertThat(ids).as("the records of the topic").isEqualTo(stored);
    assertThat(expected).as("the topic's records as documents").containsAll(documents);
  }
}
