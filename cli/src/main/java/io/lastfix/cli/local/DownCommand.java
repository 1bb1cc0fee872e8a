package io.lastfix.cli.local;

import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.submission.JobShutdown;
import io.lastfix.cluster.submission.SubmittedJobs;
import io.lastfix.local.LocalStack;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Stops the local stack. */
@Command(
    name = "down",
    description = {
      "Stops the local stack. Its data stays.",
      "A running job is stopped with a savepoint, whose path is printed; after lastfix up it resumes from there with"
          + " lastfix submit location --resume."
    },
    footer = "  lastfix down")
public final class DownCommand extends LastfixCommand {
  /** Longer than a local job's savepoint takes if its sinks reach MongoDB. */
  private static final Duration SAVEPOINT_LIMIT = Duration.ofSeconds(30);

  @Option(
      names = "--purge",
      description =
          "Also delete the data and the recorded ports and jobs, without a savepoint. Logs and"
              + " generated settings stay, so that you can find out what happened.")
  private boolean purge;

  @Override
  public Integer call() throws Exception {
    StackHome home = StackHome.locate(System.getenv());
    if (!purge) {
      new JobShutdown(home, this::say).stopJobs(SAVEPOINT_LIMIT);
    }
    int stopped = new LocalStack(home, this::say).down(purge);
    out()
        .println(
            stopped == 0
                ? "Nothing was running."
                : "The stack is down; " + stopped + " processes stopped.");
    if (purge) {
      SubmittedJobs.ofLocalStack(home).deleteAll();
    }
    return 0;
  }
}
