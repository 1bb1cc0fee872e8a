package io.lastfix.cli.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cli.flink.CannedCluster;
import io.lastfix.cli.resume.SettingsFingerprint;
import io.lastfix.cli.resume.Submission;
import io.lastfix.cli.resume.SubmittedJob;
import io.lastfix.cli.resume.SubmittedJobs;
import io.lastfix.cli.stack.EndpointOverrides;
import io.lastfix.cli.stack.StackHome;
import io.lastfix.jobs.config.LocationJobConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** A plain submit of a job whose state is remembered, by whatever address it was submitted. */
class SubmitGuardTest {
  private static final String ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String REFUSED = "was submitted before";

  @TempDir private Path directory;

  private final CannedCluster cluster = new CannedCluster();
  private final JobSettings settings = new JobSettings();
  private Servers servers;
  private SubmittedJobs submitted;
  private LocationJobConfig config;
  private LocationJobs jobs;

  @BeforeEach
  void connect() throws IOException {
    StackHome home = new StackHome(directory);
    submitted = new SubmittedJobs(home);
    servers =
        new Servers(
            new EndpointOverrides(
                Optional.of("mongodb://a/"), Optional.of("b:9092"), Optional.of(cluster.url())),
            Map.of());
    config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    jobs = new LocationJobs(servers, settings, home);
    cluster.answers("/jobs/overview", "{\"jobs\":[]}");
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void withTheSameAddressItIsRefused() throws IOException {
    Path checkpoint = completeCheckpoint();
    remember(cluster.url(), checkpoints());

    assertThatThrownBy(() -> jobs.submit(config, null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, checkpoint.toString(), "give --resume", "--afresh");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:%d",
        "localhost:%d",
        "127.0.0.1:%d",
        "http://127.0.0.1:%d/",
        "http://flink-jobmanager:%d",
        Submission.LOCAL_STACK
      })
  void withAnotherAddressItIsRefusedTooAndTheFormerOneIsNamed(String former) throws IOException {
    String address = former.formatted(URI.create(cluster.url()).getPort());
    Path checkpoint = completeCheckpoint();
    remember(address, checkpoints());

    assertThatThrownBy(() -> jobs.submit(config, null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            REFUSED + ", to " + address + " and not to " + cluster.url(),
            checkpoint.toString(),
            "--resume",
            "--from-savepoint",
            "--afresh");
  }

  /** Its id tells that it is the same cluster, which tells its newest checkpoint. */
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

    assertThatThrownBy(() -> jobs.submit(config, null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, "s3://bucket/chk-7", "http://flink-jobmanager:8081");
  }

  @Test
  void whereACheckpointMayBeThatIsNotSeenFromHereItIsRefused() throws IOException {
    remember("http://flink-jobmanager:8081", "s3://bucket/checkpoints");

    assertThatThrownBy(() -> jobs.submit(config, null))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(REFUSED, "there may be one", "http://flink-jobmanager:8081");
  }

  @Test
  void oneThatHasNoCheckpointIsNotRefusedForIt() throws IOException {
    Files.createDirectories(directory.resolve("checkpoints").resolve(ID));
    remember("http://flink-jobmanager:8081", checkpoints());

    assertThatThrownBy(() -> jobs.submit(config, null))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining(REFUSED);
  }

  @Test
  void afreshItIsNotRefusedForIt() throws IOException {
    completeCheckpoint();
    remember("http://flink-jobmanager:8081", checkpoints());

    assertThatThrownBy(() -> jobs.submit(config, null, true))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining(REFUSED);
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
    submitted.remember(
        SubmittedJob.started(
            new Submission(
                config.name(),
                address,
                "/lib/job.jar",
                null,
                List.of(),
                SettingsFingerprint.of(settings.effective(servers)),
                checkpointDirectory,
                null),
            ID,
            null));
  }
}
