package io.lastfix.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.cli.EndpointOptions;
import io.lastfix.cli.LastfixCommand;
import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.jobs.config.LocationJobConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix submit}: starts a job on the cluster. */
@Command(
    name = "submit",
    description = "Starts a job on the Flink cluster, and returns when the cluster has it.")
public final class SubmitCommand extends LastfixCommand {
  /** The jobs there are. */
  enum JobName {
    location
  }

  @Parameters(paramLabel = "JOB", description = "Which one: ${COMPLETION-CANDIDATES}.")
  private JobName job = JobName.location;

  @Option(
      names = "--from-savepoint",
      paramLabel = "PATH",
      description = "Go on from this savepoint or checkpoint.")
  private @Nullable String savepoint;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    Servers servers = Servers.resolve(endpoints);
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    LocationJobs jobs = new LocationJobs(servers, settings);
    Optional<FlinkRest.Job> running = jobs.findRunning(config.name());
    if (running.isPresent()) {
      // Two of them would store the right thing, but under one consumer group neither's lag could
      // be told.
      throw new IOException(
          "job '%s' runs already (%s): cancel it first, or give this one another name and group (--set job.name=..."
                  .formatted(config.name(), running.get().id())
              + " --set kafka.group-id=...)");
    }
    String id = jobs.submit(savepoint);
    String page = new FlinkRest(servers.flink()).pageOf(id);
    PrintWriter out = out();
    if (json) {
      out.println(
          JsonNodeFactory.instance
              .objectNode()
              .put("id", id)
              .put("name", config.name())
              .put("page", page));
    } else {
      out.printf("Started %s job %s (%s)%n%s%n", job, id, config.name(), page);
    }
    out.flush();
    return 0;
  }
}
