package io.lastfix.cli.job;

import static io.lastfix.operate.job.HistoryJobs.count;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.RebuildLastKnownLocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.QueryTimeLimitException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code lastfix rebuild-lkl}: recomputes Last Known Location from History. */
@Command(
    name = "rebuild-lkl",
    description = {
      "Recomputes Last Known Location from History with a Flink batch job. The location job may"
          + " run meanwhile.",
      "Adds missing users, and updates users whose location is older than in History. A user"
          + " that is newer in Last Known Location stays unchanged. Periods of History that --from"
          + " and --to select are read as a whole."
    },
    footer = "  lastfix rebuild-lkl --from 2008-05-01 --to 2008-06-01")
public final class RebuildLklCommand extends HistoryJobCommand {
  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  /** Called by picocli. */
  public RebuildLklCommand() {
    super(
        Jobs.REBUILD_LAST_KNOWN_LOCATION,
        "%,d documents read",
        RebuildLastKnownLocationJob.DOCUMENTS,
        Servers.Kind.MONGO);
  }

  @Override
  protected void run(LocationJobConfig config, FlinkRest flink, Run run)
      throws IOException, InterruptedException {
    try (QuerySession mongo = new QuerySession(config, QueryOptions.within(QUERY_LIMIT))) {
      Instant began = Instant.now();
      Users before = users(mongo);
      Map<String, String> counted = run.await();
      Users after = users(mongo);
      long documents = count(counted, RebuildLastKnownLocationJob.DOCUMENTS);
      long users = count(counted, RebuildLastKnownLocationJob.USERS);
      double seconds = Duration.between(began, Instant.now()).toMillis() / 1000.0;
      ObjectNode result =
          emptyObject().put("documents", documents).put("users", users).put("seconds", seconds);
      result
          .putObject("lastKnownLocation")
          .put("before", before.number())
          .put("after", after.number())
          .put("estimated", before.isEstimate() || after.isEstimate());
      print(
          result,
          String.format(
              Locale.ROOT,
              "Read %,d located records of History, with %,d users, in %.1f s%n"
                  + "Last Known Location had %s users and has %s",
              documents,
              users,
              seconds,
              before.words(),
              after.words()));
    }
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

  /** The number of users in Last Known Location; a running location job adds some, too. */
  private record Users(long number, boolean isEstimate) {
    String words() {
      return String.format(Locale.ROOT, isEstimate ? "about %,d" : "%,d", number);
    }
  }
}
