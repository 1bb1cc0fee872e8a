package io.lastfix.cli.job;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.ResumableJob;
import io.lastfix.cluster.submission.SubmittedJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.StreamJobSettings;
import io.lastfix.operate.job.SubmissionCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lastfix submit}: starts a job on the cluster. */
@Command(
    name = "submit",
    description =
        "Starts a job on the Flink cluster, and returns when the cluster has accepted it.",
    footer = "  lastfix submit devices")
public final class SubmitCommand extends StreamJobCommand {
  /** The time limit of restoring the state. */
  private static final Duration RESTORE_LIMIT = Duration.ofMinutes(5);

  @Option(
      names = "--from-savepoint",
      paramLabel = "PATH",
      description = "Resume from this savepoint or checkpoint.")
  private @Nullable String savepoint;

  @Option(
      names = "--resume",
      description =
          "Resume from the newest completed checkpoint or savepoint of the job of that name that"
              + " was last submitted from here, and return when it runs. Fails if there is none,"
              + " or if it cannot be restored.")
  private boolean resume;

  @Option(
      names = "--afresh",
      description =
          "Start without the recorded checkpoint of the job of that name, and lose the records"
              + " that wait for their cell there. Without --afresh, the command refuses to start"
              + " the job if there is one.")
  private boolean afresh;

  /** Called by picocli: lists the jobs after the example. */
  @Spec
  void describeJobs(CommandSpec spec) {
    List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
    footer.addAll(List.of("", "Jobs:"));
    Jobs.of(Jobs.Kind.STREAM)
        .forEach(each -> footer.addAll(List.of("  " + each.name(), "      " + each.description())));
    spec.usageMessage().footer(footer.toArray(String[]::new));
  }

  @Override
  public Integer call() throws Exception {
    if (resume && savepoint != null) {
      throw usageError("--resume and --from-savepoint exclude each other");
    }
    if (afresh && (resume || savepoint != null)) {
      throw usageError("--afresh excludes --resume and --from-savepoint");
    }
    StreamJobSettings given = options.given(job, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    SubmissionCheck check = new SubmissionCheck(given);
    if (isLocationJob()) {
      check.requireProfiles();
    }
    ResumableJob stream = given.resumable();
    Optional<SubmittedJob> before = stream.findRemembered();
    ResumableJob.Started started = start(stream, before);
    String id = started.id();
    String name = job.nameIn(given.config());
    FlinkRest flink = new FlinkRest(given.servers().flink());
    print(
        emptyObject()
            .put("id", id)
            .put("name", name)
            .put("page", flink.pageOf(id))
            .put("from", started.from().orElse(null)),
        "Started %s job %s (%s)%n%s%s"
            .formatted(
                job.name(),
                id,
                name,
                started.from().map("It resumes from %s%n"::formatted).orElse(""),
                flink.pageOf(id)));
    try {
      check.uncounted(flink, before).forEach(this::say);
    } catch (IOException e) {
      // The job runs: a script must not take that for a failure.
      say("Whether all records are counted is not known: " + e.getMessage());
    }
    if (isLocationJob()) {
      check.unread(flink).forEach(this::say);
    }
    return 0;
  }

  private ResumableJob.Started start(ResumableJob stream, Optional<SubmittedJob> before)
      throws IOException, InterruptedException {
    if (resume) {
      before.ifPresent(this::warnOfOtherSettings);
      ResumableJob.Started started = stream.resume();
      stream.awaitRunning(started.id(), RESTORE_LIMIT, this::say);
      return started;
    }
    String id = stream.submit(savepoint, afresh);
    if (savepoint == null) {
      before
          .flatMap(known -> Optional.ofNullable(known.latest()))
          .ifPresent(
              path ->
                  say(
                      "Started afresh. %s in %s; to resume from there: --from-savepoint",
                      isLocationJob()
                          ? "The records that waited for their cell in the previous job are"
                          : "The state of the previous job is",
                      path));
    }
    return new ResumableJob.Started(id, Optional.ofNullable(savepoint));
  }

  /** A resumed job may have changed settings on purpose, but may also lack some by mistake. */
  private void warnOfOtherSettings(SubmittedJob before) {
    JobSettings settings = options.settings();
    List<String> leftOut =
        before.submission().missingIn(settings.overriddenKeys(), settings.configFile() != null);
    if (!leftOut.isEmpty()) {
      say("This submission lacks %s, which the previous one had", String.join(" ", leftOut));
    }
  }
}
