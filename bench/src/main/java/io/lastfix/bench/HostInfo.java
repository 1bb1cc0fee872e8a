package io.lastfix.bench;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import io.lastfix.bench.measure.Report;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.local.program.ProgramOutput;
import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.sink.BulkOptions;
import io.lastfix.store.provision.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.utils.AppInfoParser;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * The environment of a run: the commit, the machine, the servers and their versions, on which the
 * figures depend.
 */
final class HostInfo {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path MEMORY_INFO = Path.of("/proc/meminfo");

  private static final Duration GIT_LIMIT = Duration.ofSeconds(30);

  private static final int UNAUTHORIZED = 13;

  private HostInfo() {}

  static void describe(Bench bench, String command) throws IOException {
    Report report = bench.report();
    BenchOptions options = bench.options();
    report.environment("command", command);
    report.environment("started", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    report.environment("commit", commit(Installation.root()));
    report.environment(
        "machine",
        "%d × %s, %s of memory, %s %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                value(CPU_INFO, "model name").orElse("unknown processor"),
                value(MEMORY_INFO, "MemTotal").map(HostInfo::ofKilobytes).orElse("unknown size"),
                System.getProperty("os.name"),
                System.getProperty("os.version")));
    report.environment("Java", System.getProperty("java.vm.version"));
    Document build = bench.store().database().runCommand(new Document("buildInfo", 1));
    report.environment(
        "MongoDB",
        "%s, %s%s"
            .formatted(
                build.getString("version"),
                topology(bench.store().database()),
                storageEngine(bench.store().client().getDatabase("admin"))));
    report.environment("Flink", bench.flink().version());
    report.environment("Kafka client", AppInfoParser.getVersion());
    BulkOptions bulks = bench.config().historyBulks();
    report.environment(
        "job",
        "parallelism %d; write concern %s; bulks of %,d; in flight per subtask %d of History, %d of Last Known Location; flushed after %d ms"
            .formatted(
                options.parallelism(),
                bench.config().historyMongo().writeConcern(),
                bulks.maxRecordsPerBulk(),
                bulks.maxBulksInFlight(),
                bench.config().lastKnownLocationBulks().maxBulksInFlight(),
                bulks.flushInterval().toMillis()));
    report.environment(
        "workload",
        "%,d records of %,d users in 10,000 cells, %d %s%s"
            .formatted(
                options.records(),
                options.users(),
                options.rounds(),
                options.rounds() == 1 ? "round" : "rounds",
                options.isShort() ? "; --short: to try the command, not to measure" : ""));
  }

  /**
   * The commit that a clone has checked out, with {@code -dirty} if a file differs from it. The
   * lastfix script builds what is older than its sources.
   */
  static String commit(Path root) {
    // An unpacked archive has none, but may lie in the clone of another project.
    if (!Files.exists(root.resolve(".git"))) {
      return "unknown: %s is no clone".formatted(root);
    }
    try {
      // Without tags: the commit alone.
      return ProgramOutput.of(
          GIT_LIMIT,
          "git",
          "-C",
          root.toString(),
          "describe",
          "--always",
          "--dirty",
          "--abbrev=8",
          "--exclude=*");
    } catch (IOException | StackException e) {
      return "unknown: " + e.getMessage();
    }
  }

  /** The kind of MongoDB behind the configured address. */
  private static String topology(MongoDatabase database) {
    BsonDocument hello = database.runCommand(new Document("hello", 1), BsonDocument.class);
    return switch (Topology.of(hello)) {
      case SHARDED_CLUSTER -> "a sharded cluster";
      case STANDALONE -> "a standalone server";
      case REPLICA_SET -> {
        int members = hello.getArray("hosts").size();
        yield members == 1
            ? "a replica set of one member"
            : "a replica set of %d electable data-bearing members".formatted(members);
      }
    };
  }

  /** The cache and its settings, on which the rates depend most; a router has no cache. */
  private static String storageEngine(MongoDatabase admin) {
    try {
      Document status = admin.runCommand(new Document("serverStatus", 1));
      Number cache =
          status.getEmbedded(
              List.of("wiredTiger", "cache", "maximum bytes configured"), Number.class);
      String configured =
          admin
              .runCommand(new Document("getCmdLineOpts", 1))
              .getEmbedded(
                  List.of("parsed", "storage", "wiredTiger", "engineConfig", "configString"),
                  String.class);
      return (cache == null ? "" : "; cache " + gibibytes(cache.longValue()))
          + (configured == null ? "" : ", " + configured);
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == UNAUTHORIZED) {
        return "; cache unknown: the user lacks the role clusterMonitor";
      }
      throw e;
    }
  }

  private static Optional<String> value(Path file, String key) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty(); // Not Linux.
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst();
  }

  /** Converts a number in kB, as Linux writes it. */
  private static String ofKilobytes(String kilobytes) {
    return gibibytes(Long.parseLong(kilobytes.replace("kB", "").trim()) * 1024);
  }

  private static String gibibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }
}
