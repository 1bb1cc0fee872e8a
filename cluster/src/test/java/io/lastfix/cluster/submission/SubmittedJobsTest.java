package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cluster.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmittedJobsTest {
  @TempDir private Path directory;

  private SubmittedJobs jobs;
  private SubmittedJobs elsewhere;
  private SubmittedJob job;

  @BeforeEach
  void makeStore() {
    jobs = SubmittedJobs.ofLocalStack(new StackHome(directory));
    elsewhere = SubmittedJobs.elsewhere(new StackHome(directory));
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
  void aJobThatDownHasStoppedNeedsNoStop() throws IOException {
    jobs.remember(job);
    jobs.requireNotTakenDown(job.name());

    jobs.remember(job.ended(SubmittedJob.End.TAKEN_DOWN));
    assertThatThrownBy(() -> jobs.requireNotTakenDown(job.name()))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job '%s' does not run: lastfix down has stopped it already. It resumes with %s"
                .formatted(job.name(), job.resumeCommands()));
  }

  @Test
  void aNameMayHoldWhatAFileNameMustNot() throws IOException {
    SubmittedJob slashed = SubmittedJobExamples.elsewhere("../a/b *");
    elsewhere.remember(slashed);

    assertThat(elsewhere.find("../a/b *")).contains(slashed);
    assertThat(elsewhere.names()).containsExactly("../a/b *");
    assertThat(directory.resolve("jobs/elsewhere")).isDirectoryContaining("glob:**.json");
  }

  @Test
  void aJobOfTheLocalStackAndOneElsewhereOfTheSameNameAreRememberedBoth() throws IOException {
    SubmittedJob other = SubmittedJobExamples.elsewhere(job.name());
    elsewhere.remember(other);
    jobs.remember(job);

    assertThat(jobs.find(job.name())).contains(job);
    assertThat(elsewhere.find(job.name())).contains(other);
    assertThatThrownBy(() -> jobs.remember(other)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b1:9092,b2:9092 | b2:9092     | true",
        "B1:9092         | b1:9092     | true",
        "b1:9092         | b1:9093     | false",
        "b1:9092         | local stack | false",
        "local stack     | local stack | true"
      })
  void oneCommonAddressIsOneKafka(String known, String asked, boolean isSame) {
    Submission submission =
        new Submission(
            "n",
            "http://flink:8081",
            "j",
            null,
            List.of(),
            Map.of(),
            "f",
            null,
            null,
            known,
            "location");

    assertThat(submission.readsFrom(asked)).isEqualTo(isSame);
  }

  @Test
  void onlyJobsOfTheLocalStackAreForgottenWithIt() throws IOException {
    jobs.remember(job);
    elsewhere.remember(SubmittedJobExamples.elsewhere(job.name()));

    jobs.deleteAll();

    assertThat(jobs.names()).isEmpty();
    assertThat(elsewhere.names()).containsExactly(job.name());
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
        "submission.shownValues",
        "submission.fingerprint",
        "submission.kafka",
        "submission.job"
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
