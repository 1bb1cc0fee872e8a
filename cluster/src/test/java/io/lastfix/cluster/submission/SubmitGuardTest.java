package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.JobSubmitter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plain submit of a job with a recorded state, for each address of the cluster. */
class SubmitGuardTest {
  private static final String ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String NEW_ID = "ffffffffffffffffffffffffffffffff";
  private static final String REFUSED = "was submitted before";

  @TempDir private Path directory;

  private final CannedCluster cluster = new CannedCluster();
  private final SettingsExample settings = SettingsExample.of(cluster.url());

  /** The savepoint of each job that reached Flink; empty without one. */
  private final List<Optional<String>> reachedFlink = new ArrayList<>();

  private StackHome home;
  private SubmittedJobs submitted;
  private ResumableJob job;

  @BeforeEach
  void connect() throws IOException {
    home = new StackHome(directory);
    submitted = SubmittedJobs.elsewhere(home);
    job = jobOf(settings);
    cluster.answers("/jobs/overview", "{\"jobs\":[]}");
    cluster.answers("/jobmanager/config", "[]");
  }

  private ResumableJob jobOf(SettingsExample at) {
    return jobOf(
        at,
        (jar, arguments, savepoint, environment) -> {
          reachedFlink.add(Optional.ofNullable(savepoint));
          return NEW_ID;
        });
  }

  private ResumableJob jobOf(SettingsExample at, JobSubmitter submitter) {
    return new ResumableJob(
        at.submission(),
        new FlinkRest(cluster.url()),
        home,
        () -> JobJarExample.in(directory),
        submitter);
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void withTheSameAddressItIsRefused() throws IOException {
    Path checkpoint = completeCheckpoint();
    remember(cluster.url(), checkpoints());

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%s' was submitted before, and records that wait for their cell there would be lost: its state is in file:%s; continue from it with lastfix submit location --resume, or start without it with lastfix submit location --afresh"
                .formatted(settings.name(), checkpoint));
    assertThat(reachedFlink).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:%d",
        "localhost:%d",
        "127.0.0.1:%d",
        "http://127.0.0.1:%d/",
        "http://flink-jobmanager:%d"
      })
  void withAnotherAddressItIsRefusedTooAndTheFormerOneIsNamed(String former) throws IOException {
    String address = former.formatted(URI.create(cluster.url()).getPort());
    Path checkpoint = completeCheckpoint();
    remember(address, checkpoints());

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            REFUSED + ", to " + address + " and not to " + cluster.url(),
            checkpoint.toString(),
            "--from-savepoint",
            "--afresh");
  }

  /** Its id shows that it is the same cluster, which reports the job's newest checkpoint. */
  @Test
  void withAnotherAddressOfTheClusterThatListsTheJobItsCheckpointIsNamed() throws IOException {
    remember("http://flink-jobmanager:8081", null);
    clusterListsItCanceled();
    cluster.answers(
        "/jobs/" + ID + "/checkpoints",
        "{\"latest\":{\"completed\":{\"external_path\":\"s3://bucket/chk-7\",\"latest_ack_timestamp\":7}}}");

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, "s3://bucket/chk-7", "http://flink-jobmanager:8081");
  }

  @Test
  void whereTheClusterDoesNotTellTheCheckpointsItIsRefusedWithTheReason() throws IOException {
    remember(cluster.url(), null);
    clusterListsItCanceled();
    cluster.answers("/jobs/" + ID + "/checkpoints", "<html>a proxy's page</html>");

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, "could not be looked up", "--afresh");
    assertThat(reachedFlink).isEmpty();
  }

  @Test
  void whereACheckpointMayBeThatIsNotSeenFromHereItIsRefusedWithoutResumeAmongTheAdvice()
      throws IOException {
    remember("http://flink-jobmanager:8081", "s3://bucket/checkpoints");

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%1$s' was submitted before, to http://flink-jobmanager:8081 and not to %2$s, and records that wait for their cell there would be lost: no checkpoint of job '%1$s' (%3$s) was found, but there may be one; name it with lastfix submit location --from-savepoint to continue from it, or start without it with lastfix submit location --afresh"
                .formatted(settings.name(), cluster.url(), ID));
    assertThat(reachedFlink).isEmpty();
  }

  @Test
  void oneThatHasNoCheckpointIsSubmitted() throws Exception {
    Files.createDirectories(directory.resolve("checkpoints").resolve(ID));
    remember("http://flink-jobmanager:8081", checkpoints());

    assertThat(job.submit(null, false)).isEqualTo(NEW_ID);

    assertThat(reachedFlink).containsExactly(Optional.empty());
    assertThat(submitted.find(settings.name()).orElseThrow().id()).isEqualTo(NEW_ID);
  }

  @Test
  void afreshItIsSubmittedWithoutItsCheckpoint() throws Exception {
    completeCheckpoint();
    remember("http://flink-jobmanager:8081", checkpoints());

    job.submit(null, true);

    assertThat(reachedFlink).containsExactly(Optional.empty());
  }

  @Test
  void fromASavepointItIsSubmitted() throws Exception {
    completeCheckpoint();
    remember(cluster.url(), checkpoints());

    job.submit("s3://bucket/savepoint-1", false);

    assertThat(reachedFlink).containsExactly(Optional.of("s3://bucket/savepoint-1"));
  }

  @Test
  void aTrialOnTheLocalStackDoesNotRefuseTheFirstJobOnAClusterThatReadsAnotherKafka()
      throws Exception {
    completeCheckpoint();
    SubmittedJob trial = job(Submission.LOCAL_STACK, checkpoints(), Submission.LOCAL_STACK);
    SubmittedJobs.ofLocalStack(home).remember(trial);

    job.submit(null, false);

    assertThat(reachedFlink).containsExactly(Optional.empty());
    assertThat(SubmittedJobs.ofLocalStack(home).find(settings.name())).contains(trial);
  }

  @Test
  void aJobOnTheLocalStacksFlinkThatReadTheSameKafkaHasItRefused() throws Exception {
    Path checkpoint = completeCheckpoint();
    SubmittedJobs.ofLocalStack(home)
        .remember(job(Submission.LOCAL_STACK, checkpoints(), "a:9092,b:9092"));

    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%s' was submitted before, to local stack and not to %s, and records that wait for their cell there would be lost: its state is in file:%s; name it with lastfix submit location --from-savepoint to continue from it, or start without it with lastfix submit location --afresh"
                .formatted(settings.name(), cluster.url(), checkpoint));
    assertThat(reachedFlink).isEmpty();
  }

  @Test
  void aClusterOfOnesOwnOverTheLocalStacksKafkaIsRefusedToo() throws Exception {
    completeCheckpoint();
    SubmittedJobs.ofLocalStack(home)
        .remember(job(Submission.LOCAL_STACK, checkpoints(), Submission.LOCAL_STACK));
    SettingsExample overLocalKafka = settings.withKafka(Submission.LOCAL_STACK);

    assertThatThrownBy(() -> jobOf(overLocalKafka).submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(REFUSED + ", to local stack");
  }

  /** As {@code demo} submits. */
  @Test
  void theLocalStacksJobIsSubmittedAfreshBesideOneElsewhereWhichIsStillGuarded() throws Exception {
    completeCheckpoint();
    remember(cluster.url(), checkpoints());
    ResumableJob demo = jobOf(SettingsExample.ofLocalStack());

    assertThat(demo.isRemembered()).isFalse();
    demo.submit(null, false);

    assertThat(reachedFlink).containsExactly(Optional.empty());
    assertThat(demo.isRemembered()).isTrue();
    assertThatThrownBy(() -> job.submit(null, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(REFUSED);
  }

  /** Otherwise its alert ends and is pending again at once, and that end is lost. */
  @Test
  void aCanceledJobStaysExpectedByPrometheusWhileItIsSubmittedAgain() throws Exception {
    aJobOfTheLocalStackWasCanceled();
    String before = Files.readString(home.expectedRules());
    List<String> meanwhile = new ArrayList<>();
    List<SubmittedJob.End> known = new ArrayList<>();
    ResumableJob canceled =
        jobOf(
            SettingsExample.ofLocalStack(),
            (jar, arguments, savepoint, environment) -> {
              meanwhile.add(Files.readString(home.expectedRules()));
              known.add(SubmittedJobs.ofLocalStack(home).find(settings.name()).orElseThrow().end());
              return NEW_ID;
            });

    canceled.submit(null, true);

    assertThat(before).contains("lastfix_location");
    assertThat(meanwhile).containsExactly(before);
    assertThat(known).containsExactly(SubmittedJob.End.CANCELED);
    assertThat(home.expectedRules()).hasContent(before);
  }

  @Test
  void aCanceledJobThatCannotBeSubmittedIsNotExpectedAnyMore() throws Exception {
    aJobOfTheLocalStackWasCanceled();
    ResumableJob refused =
        jobOf(
            SettingsExample.ofLocalStack(),
            (jar, arguments, savepoint, environment) -> {
              throw new IOException("flink run failed");
            });

    assertThatThrownBy(() -> refused.submit(null, true)).hasMessage("flink run failed");

    assertThat(home.expectedRules()).content().contains("rules: []");
  }

  /** The stack has a Prometheus, which expects the job to run. */
  private void aJobOfTheLocalStackWasCanceled() throws IOException {
    Files.writeString(
        home.root().resolve("stack.json"),
        "{\"processes\":[],\"ports\":{},\"endpoints\":{\"prometheus\":\"x\"}}");
    SubmittedJobs.ofLocalStack(home)
        .remember(job(Submission.LOCAL_STACK, checkpoints(), Submission.LOCAL_STACK));
    clusterListsItCanceled();
  }

  private void clusterListsItCanceled() {
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"CANCELED\"}]}"
            .formatted(ID, settings.name()));
  }

  private String checkpoints() {
    return directory.resolve("checkpoints").toUri().toString();
  }

  private Path completeCheckpoint() throws IOException {
    Path checkpoint = directory.resolve("checkpoints").resolve(ID).resolve("chk-3");
    Files.createDirectories(checkpoint);
    Files.createFile(checkpoint.resolve("_metadata"));
    return checkpoint;
  }

  private void remember(String address, @Nullable String checkpointDirectory) throws IOException {
    submitted.remember(job(address, checkpointDirectory, "b:9092"));
  }

  private SubmittedJob job(String address, @Nullable String checkpointDirectory, String kafka) {
    return SubmittedJob.started(
        new Submission(
            settings.name(),
            address,
            "/lib/job.jar",
            null,
            List.of(),
            Map.of(),
            SettingsFingerprint.of(settings.effective()),
            checkpointDirectory,
            null,
            kafka,
            "location"),
        ID,
        null);
  }
}
