package io.lastfix.cli.console;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.ChildProcess;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.console.config.ConsoleConfig;
import io.lastfix.console.config.LiveOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.local.ConsoleServer;
import io.lastfix.local.JavaOptions;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.status.JobHealth;
import io.lastfix.store.counts.NumberKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lastfix console}: runs a console as a process of its own, with its own class path, and
 * ends with it.
 */
@Command(
    name = "console",
    description = {
      "Serves a map in a browser, and its HTTP API, until it is stopped (SIGTERM or Ctrl-C).",
      "It reads the collections of the job's configuration; its MongoDB is that of mongo.uri, else"
          + " the local stack's. If located.topic is set, it also reads that, so that devices move without"
          + " a query. With the addresses of Kafka and Flink it also shows the health of the jobs. LASTFIX_CONSOLE_JAVA_OPTIONS has further options of its Java, such"
          + " as -Xmx1g; it gets 384 MB by default."
    },
    exitCodeList = {"0:stopped in order", "1:failed", "2:wrong usage", "3:out of memory"},
    footer = "  lastfix console --port 8491")
public final class ConsoleCommand extends LastfixCommand {
  private static final String OPTIONS_VARIABLE = "LASTFIX_CONSOLE_JAVA_OPTIONS";

  @Mixin private final AccessOptions options = new AccessOptions();

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Listen on this address (default: ${DEFAULT-VALUE}). Another machine's browsers need one"
              + " that they reach, and --token-file.")
  private String address = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8490",
      description = "Listen on this port; 0: any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Answer only to requests with the token in this file, 16 characters or more; the page has a"
              + " field for it.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "MongoDB aborts a query after this time (default: ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  @Option(
      names = "--map",
      paramLabel = "FILE.pmtiles",
      description = "Show this map of your own below the devices, in the format of PMTiles.")
  private @Nullable Path map;

  @Override
  public Integer call() throws Exception {
    ConsoleConfig config = config(options.load(Servers.Kind.MONGO));
    return ChildProcess.run(
        ConsoleServer.arguments(JavaOptions.of(System.getenv(), OPTIONS_VARIABLE), "-"),
        config.toJson());
  }

  private static @Nullable LiveOptions live(LocationJobConfig job) {
    String topic = job.locatedTopic();
    return topic == null ? null : new LiveOptions(topic, JobHealth.properties(job.kafka()));
  }

  private ConsoleConfig config(LocationJobConfig job) throws IOException {
    String token = tokenFile == null ? null : Files.readString(tokenFile).trim();
    return accepted(
        "--",
        () ->
            new ConsoleConfig(
                address,
                port,
                token,
                job.historyMongo(),
                job.lastKnownLocationMongo(),
                job.history().collectionPrefix(),
                job.lastKnownLocation().collection(),
                job.analytics().collections(NumberKind.COUNTS).collectionPrefix(),
                job.pseudonymKey(),
                live(job),
                JobHealth.options(job, options.access()),
                map == null ? null : map.toAbsolutePath().toString(),
                Duration.ofSeconds(timeLimitSeconds)));
  }
}
