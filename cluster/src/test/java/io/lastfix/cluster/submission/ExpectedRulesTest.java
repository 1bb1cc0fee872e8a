package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.submission.SubmittedJob.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectedRulesTest {
  private static final Pattern EXPECTED =
      Pattern.compile("record: lastfix_(\\w+)_expected|job_name: '(\\S+)'");

  @TempDir private Path directory;

  private StackHome home;
  private SubmittedJobs jobs;
  private SubmittedJob job;

  @BeforeEach
  void makeStack() throws IOException {
    home = new StackHome(directory);
    jobs = SubmittedJobs.ofLocalStack(home);
    job = SubmittedJobExamples.withFilesUnder(directory, null);
    stackHas("", "prometheus", "gateway");
  }

  private void stackHas(String processes, String... servers) throws IOException {
    Files.writeString(
        directory.resolve("stack.json"),
        "{\"processes\":[%s],\"ports\":{},\"endpoints\":{%s}}"
            .formatted(
                processes,
                String.join(
                    ",", List.of(servers).stream().map(it -> "\"" + it + "\":\"x\"").toList())));
  }

  private List<String> expected() throws IOException {
    return EXPECTED
        .matcher(Files.readString(home.expectedRules()))
        .results()
        .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
        .toList();
  }

  @Test
  void aStackWithoutAJobExpectsItsGatewayOnly() throws IOException {
    new ExpectedRules(home).write();
    assertThat(expected()).containsExactly("gateway");

    stackHas("", "prometheus");
    new ExpectedRules(home).write();
    assertThat(expected()).isEmpty();
    assertThat(home.expectedRules()).content().contains("rules: []");
  }

  @Test
  void aStackWithoutPrometheusWritesNothing() throws IOException {
    stackHas("", "flink", "gateway");

    jobs.remember(job);

    assertThat(directory.resolve("config")).doesNotExist();
  }

  @Test
  void aSubmittedJobIsExpectedByTheNameThatFlinkReports() throws IOException {
    jobs.remember(job);

    assertThat(expected())
        .containsExactly("job", job.name().replaceAll("[^a-zA-Z0-9]", "_"), "gateway");
    assertThat(job.name()).contains("-");
  }

  @ParameterizedTest
  @EnumSource(
      value = End.class,
      names = {"CANCELED", "STOP_REQUESTED", "STOPPED"})
  void aJobThatAPersonHasEndedIsNotExpected(End end) throws IOException {
    jobs.remember(job);
    jobs.remember(job.ended(end));

    assertThat(expected()).containsExactly("gateway");
  }

  @ParameterizedTest
  @EnumSource(
      value = End.class,
      names = {"NONE", "FAILED", "TAKEN_DOWN"})
  void aJobThatShouldComeBackIsExpected(End end) throws IOException {
    jobs.remember(job.ended(end));

    assertThat(expected()).hasSize(3);
  }

  @Test
  void aJobThatAnUpgradeHasStoppedIsExpectedUntilTheUpgradeIsOver() throws IOException {
    jobs.remember(job);
    jobs.rememberUpgrade(
        job.name(),
        new UpgradeRecord(
            UpgradeRecord.Step.STOPPING,
            UpgradeRecord.now(),
            job.id(),
            "former.jar",
            "f",
            "next.jar",
            "n",
            null,
            null,
            null,
            Map.of()));
    jobs.remember(job.ended(End.STOPPED));
    assertThat(expected()).hasSize(3);

    jobs.forgetUpgrade(job.name());
    assertThat(expected()).containsExactly("gateway");
  }

  @Test
  void theDamagedRecordOfAnotherJobHindersNothing() throws IOException {
    Files.writeString(home.jobsDirectory().resolve("other.json"), "{");

    jobs.remember(job);

    assertThat(expected()).contains("other").hasSize(5);
  }

  @Test
  void theDamagedUpgradeOfAnotherJobHindersNothing() throws IOException {
    jobs.remember(job.ended(End.STOPPED));
    Files.writeString(home.jobsDirectory().resolve(job.name() + ".upgrade"), "{");

    jobs.remember(job.ended(End.STOPPED));

    assertThat(expected()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad%zz.json", "null.json", "null.upgrade"})
  void aForeignFileBesideTheRecordsHindersNothing(String file) throws IOException {
    Files.writeString(home.jobsDirectory().resolve(file), "null");

    jobs.remember(job);

    assertThat(jobs.names()).contains(job.name());
    assertThat(expected()).contains("gateway");
  }

  @Test
  void aListThatCannotBeWrittenHindersNoCommand() throws IOException {
    Files.createDirectories(home.expectedRules().resolve("a folder in its place"));

    jobs.remember(job.ended(End.STOPPED));

    assertThat(jobs.find(job.name()).orElseThrow().end()).isEqualTo(End.STOPPED);
  }

  @Test
  void beforeItsFirstStartAStackExpectsWhatItWillHave() throws IOException {
    stackHas("");

    new ExpectedRules(home).writeBeforeStart(Set.of("notify", "gateway", "console"));

    assertThat(expected()).containsExactly("gateway", "notify");
  }

  @Test
  void prometheusReadsAChangeAndNothingElse() throws IOException {
    List<Long> reloaded = new ArrayList<>();
    ExpectedRules rules = new ExpectedRules(home, prometheus -> reloaded.add(prometheus.pid()));

    stackHas("");
    jobs.remember(job);
    whilePrometheusRuns(rules::write);
    whilePrometheusRuns(rules::write);
    assertThat(reloaded).containsExactly(ProcessHandle.current().pid());

    jobs.remember(job.withLatest("file:/savepoint"));
    whilePrometheusRuns(rules::write);
    assertThat(reloaded).hasSize(1);

    jobs.remember(job.ended(End.STOPPED));
    whilePrometheusRuns(rules::write);
    assertThat(reloaded).hasSize(2);
  }

  /** Otherwise the stack has none, and a change of a job writes nothing. */
  private void whilePrometheusRuns(Runnable step) throws IOException {
    ProcessHandle running = ProcessHandle.current();
    stackHas(
        "{\"name\":\"prometheus\",\"pid\":%d,\"startedAtMillis\":%d,\"logFile\":\"log\"}"
            .formatted(running.pid(), running.info().startInstant().orElseThrow().toEpochMilli()),
        "prometheus");
    step.run();
    stackHas("");
  }

  /** A program that waits, and that the signal ends; also where nohup has this test ignore it. */
  @Test
  void theSignalToReadItsFilesReachesPrometheus() throws Exception {
    Process prometheus = new ProcessBuilder("env", "--default-signal=HUP", "sleep", "60").start();
    try {
      Awaitility.await()
          .until(() -> prometheus.info().command().filter(it -> it.endsWith("sleep")).isPresent());

      ExpectedRules.reload(prometheus.toHandle());

      assertThat(prometheus.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(prometheus.exitValue()).isEqualTo(128 + 1);
    } finally {
      prometheus.destroyForcibly();
    }
  }
}
