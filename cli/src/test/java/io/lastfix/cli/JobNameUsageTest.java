package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.LocationJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code submit} takes as the name of a job. */
class JobNameUsageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void theHelpOfSubmitListsEachJobWithItsDescription() {
    assertThat(run("submit", "--help")).isZero();

    assertThat(out.toString())
        .containsSubsequence("Jobs:", "  location", "      " + LocationJob.DESCRIPTION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rebuild-last-known-location", "nonsense"})
  void aNameThatIsNoStreamIsRefused(String name) {
    assertThat(run("submit", name)).isEqualTo(2);

    assertThat(err.toString())
        .contains(
            "(JOB): expected one of %s (case-sensitive) but was '%s'"
                .formatted(Jobs.of(Jobs.Kind.STREAM).stream().map(Jobs.Job::name).toList(), name))
        .contains("[location, devices, ");
  }
}
