package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.JobSubmitter;
import io.lastfix.cluster.submission.FakeFlink.Behaviour;
import io.lastfix.cluster.submission.JobUpgrade.Outcome;
import io.lastfix.cluster.submission.JobUpgrade.Request;
import io.lastfix.cluster.submission.UpgradeRecord.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Upgrades on a fake cluster: good and bad jars, and commands that died at each step. */
class JobUpgradeTest {
  private static final String FORMER_ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String NEXT_ID = "b0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String OTHER_ID = "d0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String OTHER_SAVEPOINT = "s3://bucket/another";
  private static final Duration LONG = Duration.ofSeconds(30);

  /** The fake cluster's answers are current. */
  private static final Duration SETUP_LIMIT = Duration.ofSeconds(1);

  @TempDir private Path directory;

  private final FakeFlink flink = new FakeFlink("lastfix-location");
  private final SettingsExample settings = SettingsExample.of(flink.url());
  private final SettingsExample newSettings = settings.withMongo("mongodb://b/");
  private final List<String> submissions = new ArrayList<>();
  private final CannedAccount account = new CannedAccount();

  private StackHome home;
  private KeptJars jars;
  private SubmittedJobs submitted;
  private Path formerJar;
  private Path nextJar;
  private Behaviour behaviourOfNext = Behaviour.GOOD;
  private @Nullable String refusal;
  private Runnable onSubmission = () -> {};
  private Consumer<String> onProgress = line -> {};

  /** From what a job starts while the new jar is refused. */
  private @Nullable String lateFrom;

  @BeforeEach
  void submitFormerJob() throws Exception {
    home = new StackHome(directory.resolve("home"));
    jars = new KeptJars(home);
    submitted = SubmittedJobs.elsewhere(home);
    formerJar = JobJarExample.make(directory.resolve("former.jar"), "1.0");
    nextJar = JobJarExample.make(directory.resolve("next.jar"), "2.0");
    jobOf(settings).submit(null, false);
    submissions.clear();
    // A new build overwrites the jar that runs.
    JobJarExample.make(formerJar, "9.0");
  }

  @AfterEach
  void stopCluster() {
    flink.close();
  }

  /** Counts nothing, and records what it is given. */
  private static final class CannedAccount implements UpgradeAccount {
    private boolean hasProgress = true;
    private long waiting = 5;

    @Override
    public Map<String, Long> ofRunning(String jobId) {
      return Map.of("waiting", waiting);
    }

    @Override
    public Map<String, Long> ofStopped() {
      return Map.of("offset", 7L);
    }

    @Override
    public boolean hasProgress(Map<String, Long> before) {
      return hasProgress;
    }

    @Override
    public Comparison compare(Map<String, Long> before, String jobId) {
      return new Comparison(true, List.of(before.get("waiting") + " " + before.get("offset")));
    }
  }

  private ResumableJob jobOf(SettingsExample its) {
    JobSubmitter submitter =
        (jar, arguments, savepoint, environment) -> {
          String version = JobJar.of(jar).version();
          submissions.add(version + " from " + savepoint);
          boolean isNext = version.equals("2.0");
          onSubmission.run();
          if (isNext && refusal != null) {
            if (lateFrom != null) {
              flink.start(OTHER_ID, Behaviour.GOOD, lateFrom);
            }
            throw new IOException(refusal);
          }
          String id = submissions.size() == 1 && !isNext ? FORMER_ID : NEXT_ID;
          if (!isNext && savepoint != null) {
            id = "c0b1c2d3e4f5061728394a5b6c7d8e9f";
          }
          flink.start(
              id, isNext ? behaviourOfNext : Behaviour.GOOD, savepoint == null ? "" : savepoint);
          return id;
        };
    return new ResumableJob(
        its.submission(), new FlinkRest(flink.url()), home, () -> formerJar, submitter);
  }

  private JobUpgrade upgrade() {
    return new JobUpgrade(
        jobOf(settings),
        jobOf(newSettings),
        new FlinkRest(flink.url()),
        account,
        onProgress,
        SETUP_LIMIT);
  }

  private Request to(@Nullable Path jar, boolean back, Duration within) {
    return new Request(null, jar, back, null, LONG, within);
  }

  private Outcome run(@Nullable Path jar) throws Exception {
    return upgrade().run(to(jar, false, LONG), plan -> {});
  }

  private String savepoint() {
    return FakeFlink.savepointOf(FORMER_ID);
  }

  private void assertWentBack(Outcome outcome) throws IOException {
    assertThat(submissions).last().isEqualTo("1.0 from " + savepoint());
    assertThat(flink.state(outcome.jobId())).isEqualTo("RUNNING");
    SubmittedJob known = submitted.find(settings.name()).orElseThrow();
    assertThat(known.id()).isEqualTo(outcome.jobId());
    assertThat(
            SettingsFingerprint.differing(known.submission().fingerprint(), settings.effective()))
        .as("with its own settings")
        .isEmpty();
    assertThat(submitted.findUpgrade(settings.name())).isEmpty();
  }

  private void assertUpgraded(Outcome outcome) throws IOException {
    assertThat(outcome.wentBack()).isEmpty();
    assertThat(outcome.jobId()).isEqualTo(NEXT_ID);
    assertThat(flink.state(FORMER_ID)).isEqualTo("FINISHED");
    SubmittedJob known = submitted.find(settings.name()).orElseThrow();
    assertThat(known.id()).isEqualTo(NEXT_ID);
    assertThat(submitted.findUpgrade(settings.name())).isEmpty();
  }

  @Test
  void theNewJarStartsFromTheSavepointAndTheAccountsAreCompared() throws Exception {
    Outcome outcome = run(nextJar);

    assertUpgraded(outcome);
    assertThat(submissions).containsExactly("2.0 from " + savepoint());
    assertThat(outcome.comparison().orElseThrow().lines()).containsExactly("5 7");
    SubmittedJob known = submitted.find(settings.name()).orElseThrow();
    assertThat(JobJar.of(Path.of(known.submission().jar())).version()).isEqualTo("2.0");
    assertThat(
            SettingsFingerprint.differing(
                known.submission().fingerprint(), newSettings.effective()))
        .isEmpty();
  }

  @Test
  void aPlanChangesNothing() throws Exception {
    JobUpgrade.Plan plan = upgrade().plan(to(nextJar, false, LONG));

    assertThat(plan.from().version()).isEqualTo("1.0");
    assertThat(plan.to().version()).isEqualTo("2.0");
    assertThat(plan.jobId()).isEqualTo(FORMER_ID);
    assertThat(submitted.findUpgrade(settings.name())).isEmpty();
    assertThat(flink.state(FORMER_ID)).isEqualTo("RUNNING");
  }

  @Test
  void aJarThatIsNotSubmittedGoesBack() throws Exception {
    refusal = "the job was not submitted: no main class";

    Outcome outcome = run(nextJar);

    assertThat(outcome.wentBack()).hasValue("the job was not submitted: no main class");
    assertWentBack(outcome);
  }

  @Test
  void aJobThatFailsThreeTimesIsCancelledAndGoesBackWithItsFirstException() throws Exception {
    behaviourOfNext = Behaviour.FAILS;

    Outcome outcome = run(nextJar);

    assertThat(outcome.wentBack()).hasValue("the new job has failed 3 times: a.B: the first");
    assertThat(flink.state(NEXT_ID)).isEqualTo("CANCELED");
    assertWentBack(outcome);
  }

  @Test
  void aJobWithoutACheckpointInTimeGoesBack() throws Exception {
    behaviourOfNext = Behaviour.NEVER_COMPLETES_A_CHECKPOINT;

    Outcome outcome = upgrade().run(to(nextJar, false, Duration.ofMillis(600)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow()).contains("no checkpoint has completed");
    assertWentBack(outcome);
  }

  @Test
  void aJobThatReadsNothingAlthoughThereIsSomethingGoesBack() throws Exception {
    account.hasProgress = false;

    Outcome outcome = upgrade().run(to(nextJar, false, Duration.ofMillis(600)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow()).contains("committed no messages");
    assertWentBack(outcome);
  }

  @Test
  void aJobThatLacksSlotsForATimeHasNotFailed() throws Exception {
    behaviourOfNext = Behaviour.LACKS_SLOTS;
    onProgress =
        line -> {
          if (line.startsWith("waiting for free slots")) {
            flink.start(NEXT_ID, Behaviour.FAILED_BEFORE, savepoint());
          }
        };

    assertUpgraded(run(nextJar));
  }

  /**
   * The loss of a TaskManager is followed by restarts in vain, which hide it as the newest cause.
   */
  @Test
  void aJobThatEndsItsTaskManagersGoesBackLongBeforeTheLimit() throws Exception {
    behaviourOfNext = Behaviour.ENDS_TASKMANAGERS;

    Outcome outcome = upgrade().run(to(nextJar, false, Duration.ofHours(1)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow())
        .startsWith("the new job has failed 3 times: a.B: TaskManager is no longer reachable");
    assertWentBack(outcome);
  }

  /** Flink names the first exception that it hears of, and the others beside it. */
  @Test
  void aTaskThatFailsWhileSlotsLackCountsAndIsNamed() throws Exception {
    behaviourOfNext = Behaviour.FAILS_WHILE_SLOTS_LACK;

    Outcome outcome = upgrade().run(to(nextJar, false, Duration.ofHours(1)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow())
        .startsWith("the new job has failed 3 times: ")
        .endsWith("; at the same time: a.B: of a task");
    assertWentBack(outcome);
  }

  @Test
  void aPlanSaysWhetherBothJarsAreTheSame() throws Exception {
    assertThat(upgrade().plan(to(nextJar, false, LONG)).isToSameJar()).isFalse();
    Path copy = JobJarExample.make(directory.resolve("copy.jar"), "1.0");
    assertThat(upgrade().plan(to(copy, false, LONG)).isToSameJar()).isTrue();
  }

  @Test
  void aJobThatLacksSlotsAllTheTimeGoesBackAndSaysSo() throws Exception {
    behaviourOfNext = Behaviour.LACKS_SLOTS;

    Outcome outcome = upgrade().run(to(nextJar, false, Duration.ofMillis(600)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow())
        .contains("has not proved itself", "too few free slots");
    assertWentBack(outcome);
  }

  @Test
  void aJobThatARestartedJobManagerHasForgottenGoesBackLongBeforeTheLimit() throws Exception {
    onProgress =
        line -> {
          if (line.contains("is accepted")) {
            flink.forgetJobs();
          }
        };

    Outcome outcome = upgrade().run(to(nextJar, false, Duration.ofHours(1)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow()).contains("does not list the new job " + NEXT_ID);
    assertWentBack(outcome);
  }

  @Test
  void aStopThatIsRefusedChangesNothing() throws Exception {
    flink.refuseStops();

    assertThatThrownBy(() -> run(nextJar))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nothing was changed");
    assertThat(flink.state(FORMER_ID)).isEqualTo("RUNNING");
    assertThat(submitted.findUpgrade(settings.name())).isEmpty();
  }

  @Test
  void ifFlinkIsGoneTheUpgradeIsLeftToBeContinued() throws Exception {
    onSubmission = flink::close;
    List<String> said = new ArrayList<>();
    onProgress = said::add;

    assertThatThrownBy(() -> upgrade().run(to(nextJar, false, Duration.ofMillis(600)), plan -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "the upgrade has not ended: lastfix upgrade location continues it, and --back undoes it");
    assertThat(said).anyMatch(line -> line.startsWith("waiting for Flink, which does not answer"));
    assertThat(submitted.findUpgrade(settings.name())).isPresent();
  }

  /** What a command that died at that step has left. */
  private void leave(Step step) throws Exception {
    String former = jars.keep(JobJarExample.make(directory.resolve("f.jar"), "1.0")).toString();
    UpgradeRecord record =
        new UpgradeRecord(
            step,
            "2026-11-01T00:00:00Z",
            FORMER_ID,
            former,
            SettingsFingerprint.of(settings.effective()),
            jars.keep(nextJar).toString(),
            SettingsFingerprint.of(newSettings.effective()),
            step == Step.STOPPING ? null : savepoint(),
            step == Step.VERIFYING || step == Step.CANCELLING ? NEXT_ID : null,
            step == Step.CANCELLING || step == Step.GOING_BACK ? "it failed" : null,
            Map.of("waiting", 5L, "offset", 7L));
    submitted.rememberUpgrade(settings.name(), record);
    if (step != Step.STOPPING) {
      flink.stop(FORMER_ID);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"STOPPING", "STARTING"})
  void aCommandThatDiedBeforeTheNewJobStartedIsContinued(Step step) throws Exception {
    leave(step);

    assertUpgraded(run(null));
    assertThat(submissions).containsExactly("2.0 from " + savepoint());
  }

  @Test
  void aJobThatRanOnAfterTheCommandDiedIsComparedWithItsNumbersOfNow() throws Exception {
    leave(Step.STOPPING);
    account.waiting = 9;

    assertThat(run(null).comparison().orElseThrow().lines()).containsExactly("9 7");
  }

  @Test
  void aCommandThatDiedWhileFlinkTookTheSavepointIsContinuedFromIt() throws Exception {
    leave(Step.STOPPING);
    flink.stop(FORMER_ID);

    assertUpgraded(run(null));
    assertThat(submissions).containsExactly("2.0 from " + savepoint());
  }

  @Test
  void aCommandThatDiedBeforeTheJobFailedOnceItsSavepointWasTakenIsContinuedFromIt()
      throws Exception {
    leave(Step.STOPPING);
    flink.failOnceStopped(FORMER_ID);

    assertThat(run(null).wentBack()).isEmpty();
    assertThat(submissions).containsExactly("2.0 from " + savepoint());
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"STARTING", "VERIFYING"})
  void aNewJobThatRunsAlreadyIsNotStartedTwice(Step step) throws Exception {
    leave(step);
    flink.start(NEXT_ID, Behaviour.GOOD, savepoint());

    Outcome outcome = run(null);

    assertThat(outcome.jobId()).isEqualTo(NEXT_ID);
    assertThat(submissions).isEmpty();
  }

  @Test
  void aNewJobWhoseSubmissionWasNotRecordedIsKnownAfterwards() throws Exception {
    leave(Step.STARTING);
    flink.start(NEXT_ID, Behaviour.GOOD, savepoint());

    assertUpgraded(run(null));
    assertThat(JobJar.of(jarOfKnownJob()).version()).isEqualTo("2.0");
  }

  private Path jarOfKnownJob() throws IOException {
    return Path.of(submitted.find(settings.name()).orElseThrow().submission().jar());
  }

  @Test
  void aFormerJarThatRunsAgainIsNotStartedTwiceAndIsKnown() throws Exception {
    leave(Step.CANCELLING);
    submitted.rememberUpgrade(
        settings.name(), submitted.findUpgrade(settings.name()).orElseThrow().canceled());
    flink.start(OTHER_ID, Behaviour.GOOD, savepoint());

    Outcome outcome = run(null);

    assertThat(outcome.wentBack()).hasValue("it failed");
    assertThat(submissions).isEmpty();
    assertThat(submitted.find(settings.name()).orElseThrow().id()).isEqualTo(OTHER_ID);
    assertThat(JobJar.of(jarOfKnownJob()).version()).isEqualTo("1.0");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "STOPPING")
  void anUpgradeIsUndone(Step step) throws Exception {
    leave(step);

    Outcome outcome = upgrade().run(to(null, true, LONG), plan -> {});

    assertThat(outcome.wentBack()).isPresent();
    assertWentBack(outcome);
  }

  @Test
  void aNewJobThatHasProvedItselfIsNotCancelledWhateverItsEarlierFailures() throws Exception {
    leave(Step.VERIFYING);
    flink.start(NEXT_ID, Behaviour.FAILED_BEFORE);

    Outcome outcome = run(null);

    assertThat(outcome.wentBack()).isEmpty();
    assertThat(flink.state(NEXT_ID)).isEqualTo("RUNNING");
    assertThat(submissions).isEmpty();
    assertThat(outcome.notStarted().orElseThrow().version())
        .as("the jar of this installation, which is not that of the upgrade")
        .isEqualTo("9.0");
  }

  @Test
  void onlyFailuresThatThisProcessSeesCount() throws Exception {
    leave(Step.VERIFYING);
    flink.start(NEXT_ID, Behaviour.FAILS);

    Outcome outcome = upgrade().run(to(null, false, Duration.ofMillis(600)), plan -> {});

    assertThat(outcome.wentBack().orElseThrow()).contains("no checkpoint has completed");
  }

  @Test
  void aNewJobThatHadProvedItselfAndEndedSinceIsNotReplacedByTheFormerOne() throws Exception {
    leave(Step.VERIFYING);
    flink.start(NEXT_ID, Behaviour.GOOD);
    flink.cancel(NEXT_ID);

    assertThatThrownBy(() -> run(null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("was upgraded", "CANCELED", "--resume");
    assertThat(submissions).isEmpty();
    assertThat(submitted.findUpgrade(settings.name())).isEmpty();
  }

  @Test
  void aNewJobThatFlinkDoesNotListIsLeftToTheUser() throws Exception {
    leave(Step.VERIFYING);

    assertThatThrownBy(() -> run(null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("does not list", "--resume", "--back");
    assertThat(submissions).isEmpty();
  }

  @Test
  void anUpgradeThatWentBackIsContinuedBackwards() throws Exception {
    leave(Step.CANCELLING);
    flink.start(NEXT_ID, Behaviour.FAILS);

    Outcome outcome = run(null);

    assertThat(outcome.wentBack()).hasValue("it failed");
    assertThat(flink.state(NEXT_ID)).isEqualTo("CANCELED");
    assertWentBack(outcome);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"STARTING", "CANCELLING", "GOING_BACK"})
  void aJobThatThisUpgradeDidNotStartIsLeftRunning(Step step) throws Exception {
    leave(step);
    flink.start(OTHER_ID, Behaviour.GOOD, OTHER_SAVEPOINT);

    assertThatThrownBy(() -> run(null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(OTHER_ID, "did not start it", savepoint());
    assertThat(flink.state(OTHER_ID)).isEqualTo("RUNNING");
    assertThat(submissions).isEmpty();
    assertThat(submitted.findUpgrade(settings.name())).isEmpty();
  }

  @Test
  void aJobThatAnotherStartsWhileTheNewJarIsSubmittedIsLeftRunning() throws Exception {
    refusal = "it runs already";
    lateFrom = OTHER_SAVEPOINT;

    assertThatThrownBy(() -> run(nextJar)).hasMessageContaining("did not start it");
    assertThat(flink.state(OTHER_ID)).isEqualTo("RUNNING");
  }

  @Test
  void aNewJobThatStartsAlthoughItsSubmissionWasGivenUpIsCancelled() throws Exception {
    refusal = "flink run did not end within 180 s";
    lateFrom = savepoint();

    assertWentBack(run(nextJar));
    assertThat(flink.state(OTHER_ID)).isEqualTo("CANCELED");
  }

  @Test
  void aJobThatMayBeOfEitherJarIsLeftToTheUser() throws Exception {
    leave(Step.GOING_BACK);
    flink.start(OTHER_ID, Behaviour.GOOD, savepoint());

    assertThatThrownBy(() -> run(null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(OTHER_ID, "not known", "--back");
    assertThat(flink.state(OTHER_ID)).isEqualTo("RUNNING");
    assertThat(submitted.findUpgrade(settings.name())).isPresent();
  }

  @Test
  void anotherJarIsRefusedWhileAnUpgradeIsUnfinished() throws Exception {
    leave(Step.STARTING);
    Path other = JobJarExample.make(directory.resolve("other.jar"), "3.0");

    assertThatThrownBy(() -> run(other))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("has not ended", "--back");
  }

  @Test
  void otherSettingsAreRefusedWhileAnUpgradeIsUnfinished() throws Exception {
    leave(Step.STARTING);
    JobUpgrade other =
        new JobUpgrade(
            jobOf(settings), jobOf(settings), new FlinkRest(flink.url()), account, line -> {});

    assertThatThrownBy(() -> other.run(to(null, false, LONG), plan -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--set-new");
  }

  @Test
  void anUnfinishedUpgradeIsDroppedIfAnotherCommandHasStartedTheJobSince() throws Exception {
    leave(Step.STARTING);
    jobOf(settings).submit("s3://bucket/another", true);
    submissions.clear();

    assertThatThrownBy(() -> upgrade().run(to(null, true, LONG), plan -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("no upgrade of job 'lastfix-location' is unfinished");
  }

  @Test
  void aJobOfAnotherProgramNeedsTheJarToGoBackTo() throws Exception {
    flink.stop(FORMER_ID);
    flink.start(OTHER_ID, Behaviour.GOOD);

    assertThatThrownBy(() -> run(nextJar))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--from");
    Request withJar = new Request(formerJar, nextJar, false, null, LONG, LONG);
    assertThat(upgrade().run(withJar, plan -> {}).wentBack()).isEmpty();
  }

  @Test
  void otherSettingsThanThoseOfTheRunningJobAreRefused() {
    JobUpgrade other =
        new JobUpgrade(
            jobOf(newSettings),
            jobOf(newSettings),
            new FlinkRest(flink.url()),
            account,
            line -> {});

    assertThatThrownBy(() -> other.run(to(nextJar, false, LONG), plan -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was submitted with another value of ");
    assertThat(flink.state(FORMER_ID)).isEqualTo("RUNNING");
  }

  @Test
  void whatIsNoJarIsRefused() throws Exception {
    Path text = Files.writeString(directory.resolve("no.jar"), "text");

    assertThatThrownBy(() -> run(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no.jar is no jar");
  }
}
