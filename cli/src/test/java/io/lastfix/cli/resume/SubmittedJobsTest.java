package io.lastfix.cli.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.stack.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmittedJobsTest {
  @TempDir private Path directory;

  private SubmittedJobs jobs;
  private SubmittedJob job;

  @BeforeEach
  void makeStore() {
    jobs = new SubmittedJobs(new StackHome(directory));
    job = SubmittedJobExamples.withFilesUnder(directory, null);
  }

  @Test
  void whatIsRememberedIsFoundUnderItsName() throws IOException {
    SubmittedJob stopped = job.withLatest("file:/savepoint").ended(SubmittedJob.End.STOPPED);
    jobs.remember(job);
    jobs.remember(stopped);

    assertThat(jobs.find(job.name())).contains(stopped);
    assertThat(jobs.names()).containsExactly(job.name());
    assertThat(jobs.find("another")).isEmpty();
  }

  @Test
  void aNameMayHoldWhatAFileNameMustNot() throws IOException {
    SubmittedJob slashed = SubmittedJobExamples.elsewhere("../a/b *");
    jobs.remember(slashed);

    assertThat(jobs.find("../a/b *")).contains(slashed);
    assertThat(jobs.names()).containsExactly("../a/b *");
    assertThat(directory.resolve("jobs")).isDirectoryContaining("glob:**.json");
  }

  @Test
  void onlyJobsOfTheLocalStackAreForgottenWithIt() throws IOException {
    SubmittedJob elsewhere = SubmittedJobExamples.elsewhere("elsewhere");
    jobs.remember(job);
    jobs.remember(elsewhere);

    jobs.forgetThoseOfTheLocalStack();

    assertThat(jobs.names()).containsExactly("elsewhere");
  }

  @Test
  void underAnotherIdItGoesOnFromTheNewestThatWasKnown() {
    SubmittedJob adopted = job.withLatest("file:/chk-3").runningAs("other");

    assertThat(adopted.id()).isEqualTo("other");
    assertThat(adopted.startedFrom()).isEqualTo("file:/chk-3");
    assertThat(adopted.latest()).isNull();
    assertThat(adopted.runningAs("third").startedFrom()).isEqualTo("file:/chk-3");
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    jobs.remember(job);
    Path file = directory.resolve("jobs/lastfix-location.json");
    Files.writeString(file, "{\"name\":");

    assertThatThrownBy(() -> jobs.find(job.name()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + " is damaged");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "submission",
        "id",
        "end",
        "submission.name",
        "submission.cluster",
        "submission.jar",
        "submission.overriddenKeys",
        "submission.fingerprint"
      })
  void aFileThatLacksAFieldIsDamagedAndSaysWhichAndWhatToDo(String field) throws IOException {
    jobs.remember(job);
    Path file = directory.resolve("jobs/lastfix-location.json");
    ObjectMapper json = new ObjectMapper();
    ObjectNode written = (ObjectNode) json.readTree(file.toFile());
    String name = field.substring(field.indexOf('.') + 1);
    (name.equals(field) ? written : (ObjectNode) written.get("submission")).remove(name);
    json.writeValue(file.toFile(), written);

    assertThatThrownBy(() -> jobs.find(job.name()))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            file + " is damaged", name + " is missing", "delete it, and start the job");
  }
}
