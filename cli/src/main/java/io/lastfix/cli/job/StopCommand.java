package io.lastfix.cli.job;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.submission.SubmittedJobs;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.StreamJobSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lastfix stop}: ends a job so that it can resume later, also in another version. */
@Command(
    name = "stop",
    description = {
      "Stops a job with a savepoint, which holds its whole state, and prints the path.",
      "lastfix submit JOB --resume resumes the job from it, with the same jar and configuration."
    },
    footer = "  lastfix stop analytics")
public final class StopCommand extends StreamJobCommand {
  @Mixin private final SavepointOptions savepoints = new SavepointOptions();

  @Override
  public Integer call() throws Exception {
    StreamJobSettings given = options.given(job);
    String name = job.nameIn(given.config());
    if (given.servers().find(Servers.Kind.FLINK).isEmpty()) {
      SubmittedJobs.ofLocalStack(StackHome.ofThisProcess()).requireNotTakenDown(name);
    }
    String savepoint = given.resumable().stop(savepoints.directory, savepoints.timeout);
    print(
        emptyObject().put("name", name).put("savepoint", savepoint),
        "Stopped %1$s job (%2$s); its savepoint:%n%3$s%nTo resume it: lastfix submit %1$s --resume, with the same settings"
            .formatted(job.name(), name, savepoint));
    return 0;
  }
}
