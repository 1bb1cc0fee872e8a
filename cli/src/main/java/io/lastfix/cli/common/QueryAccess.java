package io.lastfix.cli.common;

import io.lastfix.cluster.flink.LostRecords;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.store.query.QueryOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options with which the query commands connect to the database; a mixin. */
public final class QueryAccess extends CheckedOptions {
  @Mixin private final AccessOptions job = new AccessOptions();

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "The server aborts a query after this time; for History, the query of one period"
              + " (default: ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  @Option(
      names = "--read-preference",
      paramLabel = "MODE",
      description =
          "Members that answer: primary, primaryPreferred, secondary, secondaryPreferred or"
              + " nearest (default: from mongo.uri, else primary).")
  private @Nullable String readPreference;

  @Option(
      names = "--max-staleness",
      paramLabel = "SECONDS",
      description =
          "Maximum lag of a secondary that answers, 90 or more (default: from mongo.uri, else no"
              + " limit).")
  private @Nullable Integer maxStalenessSeconds;

  /**
   * Finds the servers' addresses, without connecting.
   *
   * @throws ParameterException if an option is out of range
   */
  public QuerySession open() {
    return open(Servers.Kind.MONGO);
  }

  /** As the other method, for a command that requires other servers. */
  public QuerySession open(Servers.Kind... needed) {
    QueryOptions options = options();
    return new QuerySession(job.load(needed), options);
  }

  /** The keys given with {@code --set}. */
  public List<String> overriddenKeys() {
    return job.settings().overriddenKeys();
  }

  /**
   * Starts to query how many located records Kafka deleted before the running analytics job read
   * them.
   *
   * @param config of the session
   */
  public LostRecords lostRecords(LocationJobConfig config) {
    return LostRecords.query(job.servers().find(Servers.Kind.FLINK), Jobs.ANALYTICS.nameIn(config));
  }

  private QueryOptions options() {
    try {
      return new QueryOptions(
          Duration.ofSeconds(timeLimitSeconds),
          readPreference,
          maxStalenessSeconds == null ? null : Duration.ofSeconds(maxStalenessSeconds));
    } catch (IllegalArgumentException e) {
      throw usageError(String.valueOf(e.getMessage()));
    }
  }
}
