package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.Restarts;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.SupervisedServers;
import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.SubmittedJob.End;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first check, with a cluster of the user's own. */
@Timeout(60)
class SupervisorTest {
  private static final String ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String LASTING = "records were lost";
  private static final String OTHER = "lastfix-devices";
  private static final String NOTHING = "{\"jobs\":[]}";

  /** As for a job elsewhere, beside which no local stack is up. */
  private static final SupervisedServers NONE =
      new SupervisedServers() {
        @Override
        public Restarts restartEnded(Predicate<String> mayStart) {
          return new Restarts(List.of(), Map.of(), true);
        }

        @Override
        public boolean areTakenDown() {
          return true;
        }
      };

  private static final String FOREIGN = "ffffffffffffffffffffffffffffffff";
  private static final String STOP_FAILED = "requested its stop, which has failed";

  @TempDir private Path directory;

  private final CannedCluster cluster = new CannedCluster();
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final SettingsExample settings = SettingsExample.of(cluster.url());

  /** A submission takes until then. */
  private CountDownLatch mayFail = new CountDownLatch(0);

  private StackHome home;
  private SubmittedJobs submitted;

  @BeforeEach
  void submitJob() throws IOException {
    home = new StackHome(directory);
    submitted = SubmittedJobs.elsewhere(home);
    submitted.remember(job());
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  private SubmittedJob job() {
    return job(settings.name());
  }

  private SubmittedJob job(String name) {
    return SubmittedJob.started(
        new Submission(
            name,
            cluster.url(),
            JobJarExample.in(directory).toString(),
            null,
            List.of(),
            Map.of(),
            SettingsFingerprint.of(settings.effective()),
            null,
            null,
            "b:9092",
            "location"),
        ID,
        null);
  }

  private ResumableJob jobOf(SettingsExample at) {
    return new ResumableJob(
        at.submission(),
        new FlinkRest(cluster.url()),
        home,
        () -> JobJarExample.in(directory),
        (jar, arguments, savepoint, environment) -> {
          mayFail.await(30, TimeUnit.SECONDS);
          throw new IOException("not submitted");
        });
  }

  /** Ends with the first event, or before. */
  private void supervise() throws IOException, InterruptedException {
    CountDownLatch stop = new CountDownLatch(1);
    supervise(stop, event -> stop.countDown());
  }

  private void supervise(CountDownLatch stop, Consumer<String> then)
      throws IOException, InterruptedException {
    new Supervisor(
            jobOf(settings),
            new FlinkRest(cluster.url()),
            NONE,
            LASTING,
            event -> {
              events.add(event);
              then.accept(event);
            },
            Duration.ZERO)
        .run(stop);
  }

  /** Supervises all three, of which the third was never submitted, until that many events. */
  private void superviseAll(int count, Consumer<String> then) throws InterruptedException {
    CountDownLatch stop = new CountDownLatch(count);
    Supervisor.runAll(
        Stream.of(settings, settings.named(OTHER), settings.named("never-submitted"))
            .map(
                each ->
                    new Supervisor(
                        jobOf(each),
                        new FlinkRest(cluster.url()),
                        NONE,
                        LASTING,
                        event -> {
                          events.add(event);
                          then.accept(event);
                          stop.countDown();
                        }))
            .toList(),
        stop);
  }

  private void listed(String id, String state) {
    listed(settings.name(), id, state);
  }

  private void listed(String name, String id, String state) {
    cluster.answers("/jobs/" + id + "/checkpoints", "{\"latest\":{}}");
    cluster.answers(
        "/jobs/" + id,
        "{\"state\":\"RUNNING\",\"vertices\":[{\"parallelism\":1,\"tasks\":{\"RUNNING\":1}}]}");
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"%s\"}]}"
            .formatted(id, name, state));
  }

  @Test
  void aJobThatNobodyHasSeenEndIsNotStarted() {
    cluster.answers("/jobs/overview", NOTHING);

    assertThatThrownBy(this::supervise)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "is not in the cluster's list, and a person may have ended it",
            "lastfix submit location --resume");
  }

  @Test
  void aJobThatASupervisorHasSeenRunIsStartedAgain() throws Exception {
    listed(ID, "RUNNING");
    supervise();
    assertThat(submitted.find(settings.name()).orElseThrow().supervised()).isTrue();

    events.clear();
    cluster.answers("/jobs/overview", NOTHING);
    supervise();
    assertThat(events).first().asString().contains("the cluster does not list job");
  }

  @Test
  void ofAllJobsTheOneThatAPersonCancelledIsLeftAloneAndTheOthersAreStartedAgain()
      throws Exception {
    submitted.remember(job(OTHER).underSupervision().withLatest("s3://bucket/chk-7"));
    listed(ID, "CANCELED");
    cluster.answers("/jobmanager/config", "[]");

    superviseAll(3, event -> {});

    assertThat(events)
        .anySatisfy(
            event -> assertThat(event).contains("'lastfix-location' was cancelled by a person"))
        .anySatisfy(
            event -> assertThat(event).contains("the cluster does not list job '" + OTHER + "'"))
        .anySatisfy(
            event ->
                assertThat(event).contains("'" + OTHER + "' could not resume", "not submitted"));
    assertThat(events).noneMatch(event -> event.contains("never-submitted"));
  }

  @Test
  void aSubmissionThatTakesLongKeepsNoOtherJobFromItsSupervision() throws Exception {
    mayFail = new CountDownLatch(1);
    submitted.remember(job().underSupervision().withLatest("s3://bucket/chk-7"));
    submitted.remember(job(OTHER));
    listed(OTHER, ID, "RUNNING");
    cluster.answers("/jobmanager/config", "[]");

    superviseAll(
        3,
        event -> {
          if (event.contains("runs")) {
            mayFail.countDown();
          }
        });

    assertThat(events.subList(0, 2))
        .anySatisfy(event -> assertThat(event).startsWith("job '" + OTHER + "' runs"));
    assertThat(events.get(2)).contains("'lastfix-location' could not resume", "not submitted");
  }

  @Test
  void aJobThatWasLeftAloneIsSupervisedOnceItIsSubmittedAgain() throws Exception {
    submitted.remember(job().ended(End.STOPPED));
    cluster.answers("/jobs/overview", NOTHING);

    superviseAll(
        2,
        event -> {
          if (event.contains("was stopped by a person")) {
            assertThatCode(this::submitAgain).doesNotThrowAnyException();
          }
        });

    assertThat(events.get(1)).isEqualTo("job 'lastfix-location' runs (" + ID + ")");
    assertThat(submitted.find(settings.name()).orElseThrow().supervised()).isTrue();
  }

  private void submitAgain() throws IOException {
    submitted.remember(job());
    listed(ID, "RUNNING");
  }

  @Test
  void aJobThatEndedForAGapIsLeftAloneForItWouldMeetItAgain() throws Exception {
    submitted.remember(job().underSupervision());
    listed(ID, "FAILED");
    cluster.answers(
        "/jobs/" + ID + "/exceptions",
        "{\"root-exception\":\"a.B: x\\nCaused by: java.lang.IllegalStateException: lost. %s. Do this\\n\\tat io.lastfix.C\"}"
            .formatted(LASTING));

    assertThatThrownBy(this::supervise)
        .hasMessage("job '%s' has ended: lost. %s. Do this".formatted(settings.name(), LASTING));
  }

  @Test
  void aJobWhoseCheckpointIsRememberedIsNotStartedWithoutIt() throws Exception {
    ResumableJob job = jobOf(settings);
    submitted.remember(job().withLatest("s3://bucket/chk-7"));
    cluster.answers("/jobs/overview", NOTHING);

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "job '%s' was submitted before".formatted(settings.name()),
            "s3://bucket/chk-7",
            "--resume",
            "--afresh");
    assertThat(submitted.find(settings.name()).orElseThrow().id()).isEqualTo(ID);
  }

  @Test
  void aJobOfWhichACheckpointMayBeThereIsNotStartedWithoutItEither() throws Exception {
    ResumableJob job = jobOf(settings);
    cluster.answers("/jobs/overview", NOTHING);

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%1$s' was submitted before, and records that wait for their cell there would be lost: no checkpoint of job '%1$s' (%2$s) was found, but there may be one; name it with lastfix submit location --from-savepoint to continue from it, or start without it with lastfix submit location --afresh"
                .formatted(settings.name(), ID));
  }

  @Test
  void aClusterThatCannotBeReachedIsNamedAndSaidToBeLookedAtAgain() throws Exception {
    cluster.stop();

    supervise();

    assertThat(events)
        .first()
        .isEqualTo(
            "Flink does not answer at %s/; checking again every 1 s".formatted(cluster.url()));
  }

  @Test
  void whoWouldSubmitAJobThatRunsAlreadyIsNotToldToCancelIt() {
    assertThat(ResumableJob.runsAlready(SettingsExample.JOB, settings.name(), ID))
        .contains(ID, "lastfix stop location, then lastfix submit location --resume")
        .doesNotContain("cancel");
  }

  @Test
  void aJobThatIsBeingCancelledIsLeftAlone() throws IOException {
    listed(ID, "CANCELLING");

    assertThatThrownBy(this::supervise).hasMessageContaining("was cancelled by a person");
    assertThat(submitted.find(settings.name()).orElseThrow().end()).isEqualTo(End.CANCELED);
  }

  @Test
  void aJobThatIsGoneAfterAStopWasAskedForIsLeftAlone() throws IOException {
    submitted.remember(job().underSupervision().ended(End.STOP_REQUESTED));
    cluster.answers("/jobs/overview", NOTHING);

    assertThatThrownBy(this::supervise)
        .hasMessageContaining("is gone after a person requested its stop");
  }

  /** The job runs after a requested stop; ends with that event, or after that many readings. */
  private void superviseRequestedStop(IntUnaryOperator completedAtReading, int readings)
      throws Exception {
    submitted.remember(job().underSupervision().ended(End.STOP_REQUESTED));
    listed(ID, "RUNNING");
    CountDownLatch stop = new CountDownLatch(1);
    AtomicInteger reading = new AtomicInteger();
    cluster.answersWith(
        "/jobs/" + ID + "/checkpoints",
        () -> {
          if (reading.get() == readings) {
            stop.countDown();
          }
          // The savepoint of the stop is the eighth, and has not completed.
          return "{\"history\":[{\"id\":8}],\"latest\":{\"completed\":{\"id\":%d}}}"
              .formatted(completedAtReading.applyAsInt(reading.getAndIncrement()));
        });
    supervise(
        stop,
        event -> {
          if (event.contains(STOP_FAILED)) {
            stop.countDown();
          }
        });
  }

  @Test
  void aJobThatOutlivesARequestedStopIsSupervisedAgain() throws Exception {
    superviseRequestedStop(reading -> reading < 9 ? 7 : 9, 40);

    assertThat(events).anyMatch(event -> event.contains(STOP_FAILED));
    assertThat(submitted.find(settings.name()).orElseThrow().end()).isEqualTo(End.NONE);
  }

  @Test
  void aJobWhoseStopIsUnderWayIsNotTakenForOneThatOutlivedIt() throws Exception {
    superviseRequestedStop(reading -> reading < 5 ? 7 : 8, 12);

    assertThat(events).noneMatch(event -> event.contains(STOP_FAILED));
    assertThat(submitted.find(settings.name()).orElseThrow().end()).isEqualTo(End.STOP_REQUESTED);
  }

  @Test
  void aJobThatFailedOnceItsSavepointWasTakenWasStoppedByAPerson() throws Exception {
    submitted.remember(job().underSupervision());
    listed(ID, "FAILED");
    cluster.answers(
        "/jobs/" + ID + "/exceptions",
        "{\"root-exception\":\"a.B: A savepoint has been created at: file:/sp-1, but the corresponding job %s failed during stopping.\"}"
            .formatted(ID));

    assertThatThrownBy(this::supervise).hasMessageContaining("was stopped by a person");
  }

  @Test
  void anAttemptToResumeThatFailedOnTheClusterIsFollowedByAnother() throws Exception {
    submitted.remember(job().underSupervision());
    cluster.answers("/jobs/overview", NOTHING);
    cluster.answers("/jobs/" + FOREIGN + "/exceptions", "{}");
    CountDownLatch stop = new CountDownLatch(1);

    supervise(
        stop,
        event -> {
          if (event.contains("checking again every 1 s")) {
            listed(FOREIGN, "FAILED");
          } else if (event.contains("has failed: Flink reports no cause")) {
            stop.countDown();
          }
        });

    assertThat(events).anyMatch(event -> event.contains("has failed: Flink reports no cause"));
  }

  @Test
  void aFailedJobThatIsNoAttemptOfThisSupervisorIsNotTakenOver() throws IOException {
    submitted.remember(job().underSupervision());
    listed(FOREIGN, "FAILED");

    assertThatThrownBy(this::supervise).hasMessageContaining("was not submitted from here");
  }

  @Test
  void aJobThatSomebodyElseSubmittedIsNotTakenOver() throws IOException {
    listed(FOREIGN, "RUNNING");

    assertThatThrownBy(this::supervise).hasMessageContaining("was not submitted from here");
    assertThat(submitted.find(settings.name()).orElseThrow().id()).isEqualTo(ID);
  }

  @Test
  void anotherServerThanThatOfTheSubmissionIsRefused() throws IOException {
    SettingsExample others = settings.withMongo("mongodb://other/");

    jobOf(settings).requireSameSettings();
    assertThatThrownBy(() -> jobOf(others).requireSameSettings())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was submitted with another value of ");
  }

  @Test
  void aStopThatIsGivenUpStaysRememberedAsAskedForAndOneThatFlinkRefusesDoesNot() throws Exception {
    ResumableJob job = jobOf(settings);
    listed(ID, "RUNNING");

    assertThatThrownBy(() -> job.stop(null, Duration.ZERO)).hasMessageContaining("404");
    assertThat(submitted.find(settings.name()).orElseThrow().end()).isEqualTo(End.NONE);

    cluster.answers("/jobs/" + ID + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers("/jobs/" + ID + "/savepoints/request", "{\"status\":{\"id\":\"IN_PROGRESS\"}}");
    assertThatThrownBy(() -> job.stop(null, Duration.ZERO))
        .hasMessageContaining("may still take it, and end the job");
    assertThat(submitted.find(settings.name()).orElseThrow().end()).isEqualTo(End.STOP_REQUESTED);
  }
}
