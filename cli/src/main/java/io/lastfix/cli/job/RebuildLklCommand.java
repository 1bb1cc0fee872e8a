package io.lastfix.cli.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.common.SecondsConverter;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.RebuildLastKnownLocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.Installation;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.flink.BoundedJob;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.FlinkRun;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix rebuild-lkl}: recomputes Last Known Location from History. */
@Command(
    name = "rebuild-lkl",
    description = {
      "Recomputes Last Known Location from History with a Flink batch job. The location job may"
          + " run meanwhile.",
      "Adds missing users, and updates users whose location is older than in History. A user"
          + " that is newer in Last Known Location stays unchanged."
    })
public final class RebuildLklCommand extends LastfixCommand {
  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Read only periods of History that end after this time, for instance 2026-11-20. Each"
              + " is read whole.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Read only periods that begin before this time. Each is read whole.")
  private @Nullable Instant to;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description =
          "Subtasks of every operator (default: job.parallelism, else the cluster's). One free slot"
              + " is enough.")
  private @Nullable Integer parallelism;

  @Option(names = "--detach", description = "Return as soon as the cluster has accepted the job.")
  private boolean detach;

  @Option(
      names = "--slot-timeout",
      converter = SecondsConverter.class,
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Give up if the cluster has no slot for this long (default: ${DEFAULT-VALUE}).")
  private Duration slotTimeout = Duration.ZERO;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    if (parallelism != null && parallelism < 1) {
      throw usageError("--parallelism: expected 1 or more, found " + parallelism);
    }
    requireOrder(from, to);
    Servers servers = Servers.resolve(endpoints);
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO);
    FlinkRest flink = new FlinkRest(servers.flink());
    if (detach) {
      printSubmitted(flink, submit(servers));
      return 0;
    }
    try (QuerySession mongo = new QuerySession(config, QueryOptions.within(QUERY_LIMIT))) {
      Instant began = Instant.now();
      Users usersBefore = users(mongo);
      Map<String, String> counted = await(flink, submit(servers));
      print(
          new Summary(
              count(counted, RebuildLastKnownLocationJob.DOCUMENTS),
              count(counted, RebuildLastKnownLocationJob.USERS),
              usersBefore,
              users(mongo),
              Duration.between(began, Instant.now())));
    }
    return 0;
  }

  /**
   * The counted number, if counting stays within a query's time limit, else the server's estimate.
   */
  private static Users users(QuerySession mongo) throws IOException {
    try {
      return new Users(mongo.lastKnownLocation().count(), false);
    } catch (QueryTimeLimitException e) {
      return new Users(mongo.lastKnownLocation().estimate(), true);
    }
  }

  private String submit(Servers servers) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(settings.arguments(servers));
    if (from != null) {
      arguments.addAll(List.of("--from", from.toString()));
    }
    if (to != null) {
      arguments.addAll(List.of("--to", to.toString()));
    }
    if (parallelism != null) {
      arguments.addAll(List.of("--set", "job.parallelism=" + parallelism));
    }
    return new FlinkRun(
            Installation.serverLibraries("flink"),
            StackHome.ofThisProcess().root(),
            servers.flink())
        .submit(
            Installation.jobJar(),
            Jobs.REBUILD_LAST_KNOWN_LOCATION.mainClass(),
            arguments,
            settings.environment(servers));
  }

  private Map<String, String> await(FlinkRest flink, String id)
      throws IOException, InterruptedException {
    try (StatusLine status = StatusLine.onStandardError()) {
      return new BoundedJob(flink, id)
          .await(
              slotTimeout,
              counted ->
                  status.show(
                      "%,d documents read"
                          .formatted(count(counted, RebuildLastKnownLocationJob.DOCUMENTS))));
    }
  }

  /** Reads an accumulator, which is absent until a task has it. */
  private static long count(Map<String, String> accumulators, String name) {
    return Long.parseLong(accumulators.getOrDefault(name, "0"));
  }

  private void printSubmitted(FlinkRest flink, String id) {
    PrintWriter out = out();
    if (json) {
      out.println(
          JsonNodeFactory.instance.objectNode().put("id", id).put("page", flink.pageOf(id)));
    } else {
      out.printf("Started the rebuild (%s)%n%s%n", id, flink.pageOf(id));
    }
    out.flush();
  }

  private void print(Summary summary) {
    PrintWriter out = out();
    out.println(json ? summary.toJson() : summary.toText());
    out.flush();
  }

  /** The number of users in Last Known Location. */
  private record Users(long number, boolean isEstimate) {
    String words() {
      return String.format(Locale.ROOT, isEstimate ? "about %,d" : "%,d", number);
    }
  }

  /**
   * The result of a rebuild.
   *
   * @param documents located documents that it read from History
   * @param users among them, each of whom it wrote once
   * @param usersBefore documents of Last Known Location before it
   * @param usersAfter documents after it; a running location job adds some, too
   * @param took the duration, including the submission
   */
  private record Summary(
      long documents, long users, Users usersBefore, Users usersAfter, Duration took) {
    ObjectNode toJson() {
      ObjectNode node =
          JsonNodeFactory.instance
              .objectNode()
              .put("documents", documents)
              .put("users", users)
              .put("seconds", took.toMillis() / 1000.0);
      node.putObject("lastKnownLocation")
          .put("before", usersBefore.number())
          .put("after", usersAfter.number())
          .put("estimated", usersBefore.isEstimate() || usersAfter.isEstimate());
      return node;
    }

    String toText() {
      return String.format(
          Locale.ROOT,
          "Read %,d located records of History, with %,d users, in %.1f s%n"
              + "Last Known Location had %s users and has %s",
          documents,
          users,
          took.toMillis() / 1000.0,
          usersBefore.words(),
          usersAfter.words());
    }
  }
}
