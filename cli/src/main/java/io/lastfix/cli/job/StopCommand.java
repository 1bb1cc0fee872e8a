package io.lastfix.cli.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.SecondsConverter;
import io.lastfix.cli.common.Servers;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.Jobs.Job;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.submission.SubmittedJobs;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix stop}: ends a job so that it can resume later, also in another version. */
@Command(
    name = "stop",
    description = {
      "Stops a job with a savepoint, which holds its whole state, and prints the path.",
      "lastfix submit JOB --resume resumes the job from it, with the same jar and configuration."
    })
public final class StopCommand extends LastfixCommand {
  @Parameters(
      paramLabel = "JOB",
      completionCandidates = StreamNames.class,
      converter = StreamNames.class,
      description = "The job: ${COMPLETION-CANDIDATES}.")
  private Job job = Jobs.LOCATION;

  @Option(
      names = "--savepoint-dir",
      paramLabel = "DIR",
      description = "Directory of the savepoint (default: from the cluster's configuration).")
  private @Nullable String directory;

  @Option(
      names = "--timeout",
      converter = SecondsConverter.class,
      paramLabel = "SECONDS",
      defaultValue = "600",
      description = "Fail after this time (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    Servers servers = Servers.resolve(endpoints);
    LocationJobConfig config = settings.load(servers);
    if (servers.find(Servers.Kind.FLINK).isEmpty()) {
      SubmittedJobs.ofLocalStack(StackHome.ofThisProcess()).requireNotTakenDown(job.nameIn(config));
    }
    String savepoint =
        new StreamJobSettings(job, servers, settings, config).resumable().stop(directory, timeout);
    PrintWriter out = out();
    if (json) {
      out.println(
          JsonNodeFactory.instance
              .objectNode()
              .put("name", job.nameIn(config))
              .put("savepoint", savepoint));
    } else {
      out.printf(
          "Stopped %s job (%s); its savepoint:%n%s%n", job.name(), job.nameIn(config), savepoint);
      out.printf("To resume it: lastfix submit %s --resume, with the same settings%n", job.name());
    }
    out.flush();
    return 0;
  }
}
