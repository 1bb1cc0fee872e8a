package io.lastfix.cluster.submission;

import static io.lastfix.cluster.submission.SubmittedJobExamples.ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewestCheckpointTest {
  private static final String REMOTE = "s3://bucket/checkpoints/" + ID + "/chk-7";

  @TempDir private Path directory;

  private SubmittedJob job;
  private Path checkpoints;
  private Path savepoints;

  @BeforeEach
  void makeFolders() throws IOException {
    job = SubmittedJobExamples.withFilesUnder(directory, null);
    checkpoints = directory.resolve("checkpoints").resolve(ID);
    savepoints = directory.resolve("savepoints");
    Files.createDirectories(savepoints);
  }

  @Test
  void theNewestCompleteCheckpointInTheFolderIsTaken() throws IOException {
    complete(checkpoints.resolve("chk-9"), 9_000);
    Path newest = complete(checkpoints.resolve("chk-10"), 10_000);
    Files.createDirectories(checkpoints.resolve("chk-11"));
    Files.createDirectories(checkpoints.resolve("shared"));

    assertThat(NewestCheckpoint.of(job)).contains("file:" + newest);
  }

  @Test
  void theFolderCountsMoreThanWhatWasKnownBefore() throws IOException {
    Path known = complete(checkpoints.resolve("chk-9"), 9_000);
    Path newest = complete(checkpoints.resolve("chk-10"), 10_000);

    assertThat(NewestCheckpoint.of(job.withLatest("file:" + known))).contains("file:" + newest);
  }

  @Test
  void aSavepointOfTheSameJobThatIsNewerIsTaken() throws IOException {
    complete(checkpoints.resolve("chk-9"), 9_000);
    Path savepoint = complete(savepoints.resolve("savepoint-a0b1c2-123456"), 9_500);
    complete(savepoints.resolve("savepoint-ffffff-123456"), 99_000);

    assertThat(NewestCheckpoint.of(job)).contains("file:" + savepoint);
  }

  @Test
  void aSavepointElsewhereCountsIfItIsKnown() throws IOException {
    complete(checkpoints.resolve("chk-9"), 9_000);
    Path savepoint = complete(directory.resolve("mine/savepoint-a0b1c2-123456"), 9_500);

    assertThat(NewestCheckpoint.of(job.withLatest("file:" + savepoint)))
        .contains("file:" + savepoint);
  }

  @Test
  void whereTheFolderIsNotOnThisMachineWhatFlinkNamedLastIsTaken() throws IOException {
    assertThat(NewestCheckpoint.of(job.withLatest(REMOTE))).contains(REMOTE);
  }

  @Test
  void aJobThatCompletedNoneGoesOnFromWhereItWasStarted() throws IOException {
    Files.createDirectories(checkpoints.resolve("shared"));

    assertThat(NewestCheckpoint.of(SubmittedJobExamples.withFilesUnder(directory, REMOTE)))
        .contains(REMOTE);
  }

  @Test
  void aJobThatBeganAfreshAndSurelyCompletedNoneHasNone() throws IOException {
    Files.createDirectories(checkpoints.resolve("shared"));

    assertThat(NewestCheckpoint.of(job)).isEmpty();
  }

  @Test
  void whereOneMayBeThatIsNotKnownItIsAnError() {
    assertThatThrownBy(() -> NewestCheckpoint.of(job))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "no checkpoint of job 'lastfix-location' ("
                + ID
                + ") was found, but there may be one: name one with --from-savepoint, or give"
                + " --afresh instead of --resume to start without it");
  }

  @Test
  void whereOneMayBeThatIsNewerThanWhereItWasStartedItIsAnError() {
    SubmittedJob startedElsewhere = SubmittedJobExamples.withFilesUnder(directory, REMOTE);

    assertThatThrownBy(() -> NewestCheckpoint.of(startedElsewhere))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("newer than " + REMOTE);
  }

  private static Path complete(Path checkpoint, long atMillis) throws IOException {
    Files.createDirectories(checkpoint);
    Path metadata = Files.createFile(checkpoint.resolve("_metadata"));
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(atMillis));
    return checkpoint;
  }
}
