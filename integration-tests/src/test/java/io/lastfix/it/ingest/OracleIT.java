package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the job's jar on real servers with shuffled, repeated, late and broken input, and compares
 * both collections, document by document, with the {@link Oracle}. Numbers in brackets are these
 * invariants:
 *
 * <ol>
 *   <li>Every record ends in History or in {@code lastfix.rejected}.
 *   <li>A record is in History once, however often it arrives.
 *   <li>Last Known Location holds the located record with the greatest (ts, cell), and the greatest
 *       with an own position, in any order of arrival.
 *   <li>One wrong clock affects no other record.
 *   <li>Coordinates are those of the event's instant.
 *   <li>A catalogue that loads late loses no position.
 * </ol>
 */
class OracleIT {
  private static final long SEED = 20261121;
  private static final int SIGHTINGS = 4_000;

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  /** Without 1 in the short form: OrdersIT compares it with other parallelisms. */
  static IntStream parallelisms() {
    return Chaos.isLong() ? IntStream.of(1, 4) : IntStream.of(4);
  }

  @ParameterizedTest(name = "parallelism {0}")
  @MethodSource("parallelisms")
  void bothCollectionsHoldWhatTheOracleSaysAfterShuffledRepeatedLateAndReplayedInput(
      int parallelism) throws Exception {
    Scenario scenario = new Scenario(SEED + parallelism, SIGHTINGS);
    List<TowerFact> towers = new ArrayList<>(scenario.towers());
    List<Message> sent = new ArrayList<>();
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "parallelism" + parallelism,
            "job.parallelism=" + parallelism,
            // For the cells that come late, on a busy machine, too.
            "locate.max-wait=6 s")) {
      // What an older import left in the topic: overtaken entries, which no record may be joined
      // with.
      run.publish(towers.stream().map(OracleIT::elsewhere).toList());
      run.publish(towers);
      String job = run.submit();

      // (6) Records come in before their cell is known, and wait for it.
      List<Message> firstHalf = scenario.firstHalf();
      sent.addAll(firstHalf);
      run.send(firstHalf);
      await("records wait for the cells that come late")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.metrics(job).waiting() > 0);
      run.publish(scenario.lateTowers());
      towers.addAll(scenario.lateTowers());
      run.drain(job);
      // (1) (2) (3) (5) (6)
      run.assertHolds(new Oracle(towers), sent);

      // (5) A catalogue change: what is stored stays, what comes in gets the version of its own
      // moment.
      List<TowerFact> moved =
          towers.subList(0, 10).stream().map(OracleIT::movedInTheMiddle).toList();
      run.publish(withOthersOfTheSameCells(towers, moved));
      for (int i = 0; i < moved.size(); i++) {
        towers.set(i, moved.get(i));
      }
      run.drain(job);
      List<Message> secondHalf = scenario.secondHalf();
      sent.addAll(secondHalf);
      run.send(secondHalf);
      run.drain(job);
      run.assertHolds(new Oracle(towers), sent);
      assertCountsReconcile(run, job, sent);

      // (2) (3) All of it once more, from the beginning of the topics, by a job that knows nothing
      // of the first.
      run.cancel(job);
      String again = run.submit("source.start=earliest", "locate.max-wait=1 s");
      run.drain(again);
      run.assertHolds(new Oracle(towers), sent);
      long goodRecords = sent.stream().mapToLong(message -> message.facts().size()).sum();
      // The group's offsets are those of the first job until this one, which reads no location
      // record before it has the catalogue, commits its own: so that it is drained proves little.
      await("all records are read and answered again")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.metrics(again).historyDuplicates() >= goodRecords);
      LocationMetrics replay = run.metrics(again);
      assertThat(replay.records()).as("records read again").isEqualTo(goodRecords);
      assertThat(replay.historyDuplicates()).as("records that were there").isEqualTo(goodRecords);
      assertThat(replay.historyInserted()).as("documents that the replay added").isZero();
    }
  }

  /**
   * (1) (4) Records in = History + duplicates + rejected, and each rejected one is in the topic,
   * untouched.
   */
  private static void assertCountsReconcile(LocationRun run, String job, Collection<Message> sent)
      throws Exception {
    long documents = run.historyDocuments();
    LocationMetrics metrics = run.metrics(job);
    var rejected = run.rejected();
    assertThat(metrics.historyInserted()).as("inserted, as the job counts").isEqualTo(documents);
    assertThat(documents + metrics.historyDuplicates() + rejected.size())
        .as("records in")
        .isEqualTo(sent.stream().mapToLong(Message::records).sum());
    run.assertRejected(sent, rejected);
  }

  /** Returns the tower with one version far away: an entry that the next one overtakes. */
  private static TowerFact elsewhere(TowerFact tower) {
    return new TowerFact(
        tower.mcc(),
        tower.mnc(),
        tower.area(),
        tower.cid(),
        tower.radio(),
        List.of(new Version(Instant.EPOCH, 0.5, 0.5)));
  }

  /** Returns the tower with one version more, from the middle of the sightings on. */
  private static TowerFact movedInTheMiddle(TowerFact tower) {
    List<Version> versions =
        new ArrayList<>(
            tower.versions().stream().filter(v -> v.from().isBefore(Scenario.MIDDLE)).toList());
    versions.add(new Version(Scenario.MIDDLE, -121.5, 37.25));
    return new TowerFact(
        tower.mcc(), tower.mnc(), tower.area(), tower.cid(), tower.radio(), versions);
  }

  /** An entry is complete for its cell id: with a moved tower go the others of the same id. */
  private static List<TowerFact> withOthersOfTheSameCells(
      List<TowerFact> towers, List<TowerFact> moved) {
    Set<String> cells = moved.stream().map(TowerFact::cell).collect(Collectors.toSet());
    List<TowerFact> together = new ArrayList<>(moved);
    towers.stream()
        .skip(moved.size())
        .filter(tower -> cells.contains(tower.cell()))
        .forEach(together::add);
    return together;
  }
}
