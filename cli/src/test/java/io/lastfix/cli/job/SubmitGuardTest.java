package io.lastfix.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.Servers;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.EndpointOverrides;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.flink.CannedCluster;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.submission.SettingsFingerprint;
import io.lastfix.stack.submission.Submission;
import io.lastfix.stack.submission.SubmittedJob;
import io.lastfix.stack.submission.SubmittedJobs;
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
  private final JobSettings settings = new JobSettings();

  /** The savepoint of each job that reached Flink; empty without one. */
  private final List<Optional<String>> reachedFlink = new ArrayList<>();

  private StackHome home;
  private Servers servers;
  private SubmittedJobs submitted;
  private LocationJobConfig config;
  private LocationJobs jobs;

  @BeforeEach
  void connect() throws IOException {
    home = new StackHome(directory);
    submitted = SubmittedJobs.elsewhere(home);
    servers =
        new Servers(
            new EndpointOverrides(
                Optional.of("mongodb://a/"), Optional.of("b:9092"), Optional.of(cluster.url())),
            Map.of());
    config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    jobs = jobs(servers);
    cluster.answers("/jobs/overview", "{\"jobs\":[]}");
    cluster.answers("/jobmanager/config", "[]");
  }

  private LocationJobs jobs(Servers at) {
    return new LocationJobs(
        new LocationJobSettings(at, settings, config),
        new FlinkRest(cluster.url()),
        home,
        () -> Path.of("/lib/job.jar"),
        (jar, arguments, savepoint, environment) -> {
          reachedFlink.add(Optional.ofNullable(savepoint));
          return NEW_ID;
        });
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void withTheSameAddressItIsRefused() throws IOException {
    Path checkpoint = completeCheckpoint();
    remember(cluster.url(), checkpoints());

    assertThatThrownBy(() -> jobs.submit(null))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%s' was submitted before, and records that wait for their cell there would be lost: its state is in file:%s; continue from it with lastfix submit location --resume, or start without it with lastfix submit location --afresh"
                .formatted(config.name(), checkpoint));
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

    assertThatThrownBy(() -> jobs.submit(null))
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
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"CANCELED\"}]}"
            .formatted(ID, config.name()));
    cluster.answers(
        "/jobs/" + ID + "/checkpoints",
        "{\"latest\":{\"completed\":{\"external_path\":\"s3://bucket/chk-7\",\"latest_ack_timestamp\":7}}}");

    assertThatThrownBy(() -> jobs.submit(null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, "s3://bucket/chk-7", "http://flink-jobmanager:8081");
  }

  @Test
  void whereTheClusterDoesNotTellTheCheckpointsItIsRefusedWithTheReason() throws IOException {
    remember(cluster.url(), null);
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"CANCELED\"}]}"
            .formatted(ID, config.name()));
    cluster.answers("/jobs/" + ID + "/checkpoints", "<html>a proxy's page</html>");

    assertThatThrownBy(() -> jobs.submit(null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, "could not be looked up", "--afresh");
    assertThat(reachedFlink).isEmpty();
  }

  @Test
  void whereACheckpointMayBeThatIsNotSeenFromHereItIsRefusedWithoutResumeAmongTheAdvice()
      throws IOException {
    remember("http://flink-jobmanager:8081", "s3://bucket/checkpoints");

    assertThatThrownBy(() -> jobs.submit(null))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%1$s' was submitted before, to http://flink-jobmanager:8081 and not to %2$s, and records that wait for their cell there would be lost: no checkpoint of job '%1$s' (%3$s) was found, but there may be one; name it with lastfix submit location --from-savepoint to continue from it, or start without it with lastfix submit location --afresh"
                .formatted(config.name(), cluster.url(), ID));
    assertThat(reachedFlink).isEmpty();
  }

  @Test
  void oneThatHasNoCheckpointIsSubmitted() throws Exception {
    Files.createDirectories(directory.resolve("checkpoints").resolve(ID));
    remember("http://flink-jobmanager:8081", checkpoints());

    assertThat(jobs.submit(null)).isEqualTo(NEW_ID);

    assertThat(reachedFlink).containsExactly(Optional.empty());
    assertThat(submitted.find(config.name()).orElseThrow().id()).isEqualTo(NEW_ID);
  }

  @Test
  void afreshItIsSubmittedWithoutItsCheckpoint() throws Exception {
    completeCheckpoint();
    remember("http://flink-jobmanager:8081", checkpoints());

    jobs.submit(null, true);

    assertThat(reachedFlink).containsExactly(Optional.empty());
  }

  @Test
  void fromASavepointItIsSubmitted() throws Exception {
    completeCheckpoint();
    remember(cluster.url(), checkpoints());

    jobs.submit("s3://bucket/savepoint-1");

    assertThat(reachedFlink).containsExactly(Optional.of("s3://bucket/savepoint-1"));
  }

  @Test
  void aTrialOnTheLocalStackDoesNotRefuseTheFirstJobOnAClusterThatReadsAnotherKafka()
      throws Exception {
    completeCheckpoint();
    SubmittedJob trial = job(Submission.LOCAL_STACK, checkpoints(), Submission.LOCAL_STACK);
    SubmittedJobs.ofLocalStack(home).remember(trial);

    jobs.submit(null);

    assertThat(reachedFlink).containsExactly(Optional.empty());
    assertThat(SubmittedJobs.ofLocalStack(home).find(config.name())).contains(trial);
  }

  @Test
  void aJobOnTheLocalStacksFlinkThatReadTheSameKafkaHasItRefused() throws Exception {
    Path checkpoint = completeCheckpoint();
    SubmittedJobs.ofLocalStack(home)
        .remember(job(Submission.LOCAL_STACK, checkpoints(), "a:9092,b:9092"));

    assertThatThrownBy(() -> jobs.submit(null))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%s' was submitted before, to local stack and not to %s, and records that wait for their cell there would be lost: its state is in file:%s; name it with lastfix submit location --from-savepoint to continue from it, or start without it with lastfix submit location --afresh"
                .formatted(config.name(), cluster.url(), checkpoint));
    assertThat(reachedFlink).isEmpty();
  }

  @Test
  void aClusterOfOnesOwnOverTheLocalStacksKafkaIsRefusedToo() throws Exception {
    completeCheckpoint();
    SubmittedJobs.ofLocalStack(home)
        .remember(job(Submission.LOCAL_STACK, checkpoints(), Submission.LOCAL_STACK));
    Servers byAddress =
        new Servers(
            new EndpointOverrides(
                Optional.of("mongodb://a/"),
                Optional.of("localhost:9092"),
                Optional.of(cluster.url())),
            Map.of("kafka", "127.0.0.1:9092"));

    assertThatThrownBy(() -> jobs(byAddress).submit(null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(REFUSED + ", to local stack");
  }

  /** As {@code demo} submits. */
  @Test
  void theLocalStacksJobIsSubmittedAfreshBesideOneElsewhereWhichIsStillGuarded() throws Exception {
    completeCheckpoint();
    remember(cluster.url(), checkpoints());
    LocationJobs demo =
        jobs(
            new Servers(
                EndpointOverrides.none(),
                Map.of(
                    "flink", cluster.url(),
                    "kafka", "127.0.0.1:9092",
                    "mongodb", "mongodb://127.0.0.1/")));

    assertThat(demo.isRemembered()).isFalse();
    demo.submit(null);

    assertThat(reachedFlink).containsExactly(Optional.empty());
    assertThat(demo.isRemembered()).isTrue();
    assertThatThrownBy(() -> jobs.submit(null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(REFUSED);
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
            config.name(),
            address,
            "/lib/job.jar",
            null,
            List.of(),
            SettingsFingerprint.of(settings.effective(servers)),
            checkpointDirectory,
            null,
            kafka),
        ID,
        null);
  }
}
