package io.lastfix.operate.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.cluster.submission.Submission;
import io.lastfix.cluster.submission.SubmittedJob;
import io.lastfix.cluster.submission.SubmittedJobs;
import io.lastfix.operate.access.ServerCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackStatusTest {
  private static final String ADDRESS = "http://127.0.0.1:8081";
  private static final DiskSpace NO_DISK = new DiskSpace(List.of(), Map.of());
  private static final String RUNNING = "lastfix-location-cells-0123abcd";

  private final CannedCluster cluster = new CannedCluster();

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "lastfix-location, true",
    RUNNING + ", true",
    "lastfix-location-cells-ffff0000, false",
    // A job's own group may have that name.
    "lastfix-cells, true",
    "other, false",
    "other-cells-0123abcd, false"
  })
  void ofTheGroupsThatReadTheCatalogueOnlyThoseOfRunningJobsAreShown(
      String name, boolean expected) {
    assertThat(StackStatus.isShown(name, Set.of(RUNNING))).isEqualTo(expected);
  }

  @Test
  void whereNoJobRunsNoGroupThatReadsTheCatalogueIsShown() {
    assertThat(StackStatus.isShown(RUNNING, Set.of())).isFalse();
    assertThat(StackStatus.isShown("lastfix-location", Set.of())).isTrue();
  }

  @Test
  void theGroupsAreThoseOfJobsThatHaveNotEnded() throws IOException {
    publishes("running", "{\"lastfix.catalog-group\":\"" + RUNNING + "\"}");
    publishes("restarting", "{\"lastfix.catalog-group\":\"lastfix-b-cells-00000001\"}");
    publishes("ended", "{\"lastfix.catalog-group\":\"lastfix-c-cells-00000002\"}");
    publishes("of-another-kind", "{}");

    assertThat(
            StackStatus.catalogGroups(
                new FlinkRest(cluster.url()),
                List.of(
                    job("running", "RUNNING"),
                    job("restarting", "RESTARTING"),
                    job("ended", "CANCELED"),
                    job("of-another-kind", "RUNNING"))))
        .containsExactlyInAnyOrder(RUNNING, "lastfix-b-cells-00000001");
  }

  @Test
  void aJobThatWasSubmittedAndDoesNotRunIsShownWithItsCommand(@TempDir Path home)
      throws IOException {
    SubmittedJobs submitted = SubmittedJobs.ofLocalStack(new StackHome(home));
    for (String name : List.of("stopped", "cancelled", "runs", "lost", "cancelled-in-flink")) {
      SubmittedJob job =
          SubmittedJob.started(
              new Submission(
                  name,
                  Submission.LOCAL_STACK,
                  "j",
                  null,
                  List.of("profiles.names"),
                  Map.of("profiles.names", "json,own"),
                  "f",
                  null,
                  null,
                  Submission.LOCAL_STACK,
                  "location"),
              "id-of-" + name,
              null);
      submitted.remember(
          switch (name) {
            case "cancelled" -> job.ended(SubmittedJob.End.CANCELED);
            case "lost", "cancelled-in-flink" -> job;
            default -> job.ended(SubmittedJob.End.TAKEN_DOWN);
          });
    }

    assertThat(
            StackStatus.stopped(
                submitted,
                Submission.LOCAL_STACK,
                List.of(
                    new FlinkRest.Job("id-of-runs", "runs", "RUNNING", Instant.EPOCH),
                    new FlinkRest.Job(
                        "id-of-cancelled-in-flink",
                        "cancelled-in-flink",
                        "CANCELED",
                        Instant.EPOCH))))
        .containsExactlyInAnyOrder(
            new StackStatus.StoppedJob(
                "lost", "lastfix submit location --resume --set profiles.names=json,own", true),
            new StackStatus.StoppedJob(
                "stopped",
                "lastfix submit location --resume --set profiles.names=json,own",
                false));
    assertThat(StackStatus.stopped(submitted, "http://flink:8081", List.of())).isEmpty();
  }

  @Test
  void anUnfinishedUpgradeIsShownInsteadOfTheStoppedJob(@TempDir Path home) throws IOException {
    StackHome stackHome = new StackHome(home);
    SubmittedJobs submitted = SubmittedJobs.ofLocalStack(stackHome);
    submitted.remember(
        SubmittedJob.started(
                new Submission(
                    "a",
                    Submission.LOCAL_STACK,
                    "j",
                    null,
                    List.of(),
                    Map.of(),
                    "f",
                    null,
                    null,
                    Submission.LOCAL_STACK,
                    "devices"),
                "id-of-a",
                null)
            .ended(SubmittedJob.End.STOPPED));
    assertThat(StackStatus.upgrades(submitted)).isEmpty();
    assertThat(StackStatus.stopped(submitted, Submission.LOCAL_STACK, List.of())).hasSize(1);

    Files.writeString(
        stackHome.jobsDirectory().resolve("a.upgrade"),
        """
        {"step": "STARTING", "since": "2026-11-27T12:00:00Z", "formerId": "id-of-a",
         "formerJar": "j", "formerFingerprint": "f", "nextJar": "k", "nextFingerprint": "g",
         "savepoint": "file:/s", "nextId": null, "reason": null, "counted": {}}
        """);

    assertThat(StackStatus.upgrades(submitted))
        .extracting(StackStatus.UnfinishedUpgrade::text)
        .containsExactly(
            "of job a is unfinished, at STARTING since 2026-11-27T12:00:00Z. If no lastfix upgrade"
                + " runs, continue it with: lastfix upgrade devices (or undo it with --back)");
    assertThat(StackStatus.stopped(submitted, Submission.LOCAL_STACK, List.of())).isEmpty();
  }

  @Test
  void aJobWhoseLedgerDoesNotBalanceIsNamed() {
    StackStatus status =
        status(
            Map.of(
                "balances", new Ledger(7, 3, 3, 0, 0, 0, 0, 0, 0),
                "loses", new Ledger(7, 3, 1, 0, 0, 0, 0, 0, 2)),
            Map.of());

    assertThat(status.unaccounted())
        .containsExactly(
            "loses: 2 records are in no sum: they are lost. See docs/operate/watch.md#the-ledger");
  }

  @ParameterizedTest
  @CsvSource({"12:00:09, 9 s", "12:02:10, 2 min", "15:00:00, 3 h", "11:59:59, 0 s"})
  void aLedgerHasTheAgeOfItsCheckpoint(String now, String age) {
    StackStatus status =
        status(
            Map.of("a", new Ledger(7, 3, 3, 0, 0, 0, 0, 0, 0)),
            Map.of("a", "2026-11-27T12:00:00Z"));

    assertThat(status.ledgerLines(Instant.parse("2026-11-27T%sZ".formatted(now))))
        .containsExactly(
            "a: in 3 = stored 3 + duplicates 0 + erased 0 + rejected 0 + not records 0 + waiting 0;"
                + " unaccounted 0, at checkpoint 7, %s ago".formatted(age));
  }

  @Test
  void aLedgerOfACheckpointThatFlinkDoesNotListHasNoAge() {
    assertThat(
            status(Map.of("a", new Ledger(7, 0, 0, 0, 0, 0, 0, 0, 0)), Map.of())
                .ledgerLines(Instant.EPOCH))
        .singleElement()
        .asString()
        .endsWith("at checkpoint 7");
  }

  @Test
  void ifAProcessHasEndedTheUserReadsWhatStartsItAgain() {
    assertThat(status(Map.of(), Map.of()).remedy())
        .hasValue("lastfix up starts taskmanager-0 again; Flink then resumes the jobs by itself");
  }

  @Test
  void ifADiskIsFullTheUserReadsWhatToDoBefore() {
    DiskSpace full =
        new DiskSpace(List.of(new DiskSpace.Disk("/srv/lastfix", 0, 1 << 30)), Map.of());

    assertThat(status(Map.of(), Map.of(), full).remedy())
        .hasValue(
            "make room in /srv/lastfix first; then lastfix up starts taskmanager-0 again; Flink"
                + " then resumes the jobs by itself");
  }

  @Test
  void ifAServerIsSilentTheUserReadsWhatToDo() {
    assertThat(
            status(
                    List.of(
                        new StackStatus.Server("kafka", ADDRESS, true, true, ""),
                        new StackStatus.Server("mongodb", ADDRESS, false, true, "not ready"),
                        new StackStatus.Server("flink", ADDRESS, false, false, "not started")),
                    List.of(new StackStatus.ServerProcessState("mongod-0", 1, true, "m.log")),
                    Map.of(),
                    Map.of(),
                    NO_DISK)
                .remedy())
        .hasValue(
            "read the log of mongodb; if a later lastfix status still prints SILENT: lastfix down,"
                + " then lastfix up");
  }

  @Test
  void aRunningJobWithoutATaskManagerIsNamed() throws IOException {
    cluster.answers(
        "/jobs/a",
        """
        {"vertices":[{"parallelism":2,"tasks":{"RUNNING":1,"SCHEDULED":1}},
          {"parallelism":1,"tasks":{"FINISHED":1}}]}
        """);
    cluster.answers("/jobs/b", "{\"vertices\":[{\"parallelism\":2,\"tasks\":{\"RUNNING\":2}}]}");

    assertThat(
            StackStatus.incompleteTasks(
                new FlinkRest(cluster.url()),
                List.of(job("a", "RUNNING"), job("b", "RUNNING"), job("c", "FAILED"))))
        .isEqualTo(Map.of("a", new FlinkRest.Tasks(1, 2)));
  }

  private static StackStatus status(
      Map<String, Ledger> ledger, Map<String, String> ledgerTriggered) {
    return status(ledger, ledgerTriggered, NO_DISK);
  }

  private static StackStatus status(
      Map<String, Ledger> ledger, Map<String, String> ledgerTriggered, DiskSpace disk) {
    return status(
        List.of(),
        List.of(
            new StackStatus.ServerProcessState("kafka", 1, true, "k.log"),
            new StackStatus.ServerProcessState("taskmanager-0", 2, false, "t.log")),
        ledger,
        ledgerTriggered,
        disk);
  }

  private static StackStatus status(
      List<StackStatus.Server> servers,
      List<StackStatus.ServerProcessState> processes,
      Map<String, Ledger> ledger,
      Map<String, String> ledgerTriggered,
      DiskSpace disk) {
    return new StackStatus(
        false,
        servers,
        processes,
        new StackStatus.OfFlink(
            List.of(),
            Set.of(),
            new LocationReading(Set.of(), false),
            List.of(),
            Map.of(),
            Map.of(),
            ledger,
            ledgerTriggered,
            Map.of("id", new FlinkRest.Tasks(0, 9))),
        new StackStatus.OfKafka(Map.of(), Map.of()),
        LateNumbers.UNKNOWN,
        List.of(),
        disk,
        GatewayClient.OverQuota.NONE,
        List.of());
  }

  @Test
  void aServerWhoseProcessRunsIsAskedPatientlyAndSaidToRunWhereItDoesNotAnswer() {
    StackStatus.Server server = askFlink(ADDRESS);

    assertThat(server.answers()).isFalse();
    assertThat(server.processRuns()).isTrue();
    assertThat(server.detail()).isEqualTo("running, but not ready within 60 s: silent after PT1M");
  }

  @Test
  void aServerOfTheUsersOwnIsNotSaidToRun() {
    StackStatus.Server server = askFlink("http://elsewhere:8081");

    assertThat(server.processRuns()).isFalse();
    assertThat(server.detail()).isEqualTo("silent after " + ServerCheck.SHORT + "; check it");
  }

  /** The process of the local stack's JobManager certainly runs: it is this one. */
  private static StackStatus.Server askFlink(String address) {
    RecordedProcess running =
        RecordedProcess.of("jobmanager", ProcessHandle.current(), Path.of("jobmanager.log"));
    return StackStatus.server(
        new StackState(List.of(running), Map.of(), Map.of("flink", ADDRESS)),
        "flink",
        Optional.of(
            new ServerCheck(
                address,
                limit ->
                    Optional.of(
                        new ServerCheck.Failure(
                            "silent after " + limit, "silent after " + limit + "; check it")))),
        Duration.ofMinutes(1));
  }

  @Test
  void ofEndedQueriesWithSqlTheLatestIsShown() {
    List<FlinkRest.Job> jobs =
        List.of(
            job("running", "lastfix-sql", "RUNNING"),
            job("latest", "lastfix-sql", "FINISHED"),
            job("location", "lastfix-location", "FINISHED"),
            job("failed", "lastfix-sql", "FAILED"),
            job("oldest", "lastfix-sql", "FINISHED"),
            job("location-before", "lastfix-location", "FINISHED"));
    StackStatus.OfFlink flink =
        new StackStatus.OfFlink(
            jobs,
            Set.of(),
            new LocationReading(Set.of(), false),
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of());

    assertThat(flink.shown())
        .extracting(FlinkRest.Job::id)
        .containsExactly("running", "latest", "location", "location-before");
  }

  @Test
  void recordsThatKafkaHadDeletedAreNamedForEachJobThatReadsThem() {
    StackStatus.OfFlink flink =
        new StackStatus.OfFlink(
            List.of(),
            Set.of(),
            new LocationReading(Set.of(), false),
            List.of(),
            new TreeMap<>(Map.of("a-analytics", 70L, "a-rules", 1_234L, "b-rules", 0L)),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of());

    assertThat(flink.lostLines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("a-analytics: 70 located records are missing"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "a-rules: 1,234 located records caused no alert: Kafka deleted them before"
                            + " the job read them"));
  }

  @Test
  void theirNumberIsReadOfTheRulesJobToo(@TempDir Path home) {
    cluster.answers(
        "/jobs/overview",
        """
        {"jobs":[{"jid":"r","name":"lastfix-location-rules","state":"RUNNING","start-time":1}]}
        """);
    cluster.answers("/jobs/r", "{\"vertices\":[{\"id\":\"v\"}]}");
    cluster.answers("/taskmanagers", "{\"taskmanagers\":[]}");
    publishes("r", "{}");
    cluster.answers(
        "/jobs/r/vertices/v/subtasks/metrics?get=Source__read_located.located.recordsLost&agg=sum",
        "[{\"id\":\"Source__read_located.located.recordsLost\",\"sum\":7.0}]");

    assertThat(
            StackStatus.OfFlink.read(
                    new FlinkRest(cluster.url()),
                    SubmittedJobs.ofLocalStack(new StackHome(home)),
                    Submission.LOCAL_STACK)
                .recordsLost())
        .isEqualTo(Map.of("lastfix-location-rules", 7L));
  }

  private void publishes(String job, String parameters) {
    cluster.answers(
        "/jobs/" + job + "/config",
        "{\"execution-config\":{\"user-config\":%s}}".formatted(parameters));
  }

  private static FlinkRest.Job job(String id, String state) {
    return job(id, "lastfix-location", state);
  }

  private static FlinkRest.Job job(String id, String name, String state) {
    return new FlinkRest.Job(id, name, state, Instant.EPOCH);
  }
}
