package io.lastfix.cli.sql;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.SqlClientRun;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.sql.SqlTables;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix sql}: Flink's SQL client with the tables of Lastfix. */
@Command(
    name = "sql",
    description = {
      "Queries with Flink's SQL: last_known_location and history from MongoDB, located and counts"
          + " from Kafka; docs/ask/sql.md has their columns, what a query costs, and examples.",
      "Without -e and -f it starts the dialogue of Flink's SQL client; QUIT; ends it. A query is a"
          + " Flink job and needs a free task slot. All times are UTC.",
      "--from and --to leave out periods of history that end before, or begin after.",
      "The table located exists if located.topic is set, as for lastfix submit."
    },
    footer = "  lastfix sql -e \"SELECT COUNT(*) FROM history WHERE in_period = '2008_05'\"")
public final class SqlCommand extends LastfixCommand {
  private static final Pattern LOCATED = Pattern.compile("\\blocated\\b", CASE_INSENSITIVE);

  @Option(
      names = "-e",
      paramLabel = "SQL",
      description = "Run these statements, with a semicolon between them; may be given many times.")
  private List<String> statements = new ArrayList<>();

  @Option(names = "-f", paramLabel = "FILE", description = "Run the statements of this file.")
  private @Nullable Path file;

  @Option(
      names = "--follow",
      description =
          "Queries of located and counts go on with new records until they are interrupted"
              + " (default: they end with what the topics hold at their start).")
  private boolean follow;

  @Mixin private final TimeOptions time = new TimeOptions();
  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    time.check();
    TimeRange range = accepted("", time::range);
    if (!statements.isEmpty() && file != null) {
      throw usageError("-e and -f exclude each other");
    }
    String script = file == null ? String.join(";\n", statements) : Files.readString(file);
    if ((file != null || !statements.isEmpty()) && script.isBlank()) {
      throw usageError("-e, -f: expected a statement, found nothing");
    }
    Servers servers = options.servers();
    LocationJobConfig config =
        options.settings().load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    requireNoCertificates(config.historyMongo());
    requireNoCertificates(config.lastKnownLocationMongo());
    String tables;
    try (QuerySession mongo =
        new QuerySession(config, QueryOptions.within(HistoryPartitions.READ_LIMIT))) {
      tables = SqlTables.of(config, mongo.history().partitions(range), follow);
    }
    int exitCode =
        new SqlClientRun(
                Installation.serverLibraries("flink"),
                Installation.serverLibraries("sql"),
                Installation.jobJar(),
                StackHome.ofThisProcess().root(),
                URI.create(servers.flink()))
            .run(tables, script);
    if (exitCode != 0 && config.locatedTopic() == null && LOCATED.matcher(script).find()) {
      say(
          "There is no table located, as located.topic is not set: add --set located.topic=TOPIC,"
              + " the topic to which the location job publishes (in the demo lastfix.located)");
    }
    return exitCode;
  }

  private static void requireNoCertificates(MongoOptions mongo) {
    if (!mongo.tls().equals(MongoTls.JAVA_DEFAULT)) {
      throw new StackException(
          "mongo.tls: Flink's SQL cannot use these certificates. Add the authority to the trust"
              + " store of the cluster's JVMs, and run lastfix sql without mongo.tls");
    }
  }
}
