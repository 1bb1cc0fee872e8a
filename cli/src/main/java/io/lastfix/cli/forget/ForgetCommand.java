package io.lastfix.cli.forget;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.WritingJobs;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.PresenceTombstones;
import io.lastfix.kit.poll.Trouble;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.operate.access.Servers;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.erasure.Erasure;
import io.lastfix.store.erasure.ErasureReport;
import io.lastfix.store.erasure.UserErasure;
import io.lastfix.store.erasure.UserNames;
import io.lastfix.store.erasure.UserResults;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix forget}: erases a user. */
@Command(
    name = "forget",
    description = {
      "Erases a user from Last Known Location and from all of History. The user's stays and trips go,"
          + " too, and the presence of the device of that name. The running jobs, a"
          + " replay or an old savepoint store nothing of the user again that is dated before now"
          + " plus parse.max-timestamp-ahead (5 minutes): no record, no stay and no trip. Of a live"
          + " device nothing is stored until then. The jobs store later records of the device.",
      "Counts, density and flows keep numbers that the user was part of: lastfix analyze computes"
          + " them again without.",
      "The command writes its steps to an audit collection, with a hash for the user."
    },
    exitCodeList = {
      "0:the user is erased",
      "1:the user is not erased, or only in part; running the command again is safe",
      "2:wrong usage, or help; nothing is erased",
      "3:no record of this user was stored, or an earlier run has erased all"
    },
    footer = "  lastfix forget abniar --yes --config config/demo.yaml")
public final class ForgetCommand extends JsonCommand {
  private static final String APPLICATION_NAME = "lastfix-forget";
  private static final int NO_RECORD = 3;
  private static final Duration KAFKA_LIMIT = Duration.ofSeconds(30);

  @Parameters(paramLabel = "USER", description = "The device or subscriber, as messages name it.")
  private String user = "";

  @Option(
      names = "--pseudonym",
      description = "USER is already the name in the collections: the command does not convert it.")
  private boolean isPseudonym;

  @Option(names = "--yes", description = "Required, since an erasure cannot be undone.")
  private boolean yes;

  @Option(
      names = "--no-job",
      description = "No job that writes to these collections runs: query no Flink cluster.")
  private boolean noJob;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description =
          "Time limit for the running job to apply the erasure list, and for MongoDB to run one"
              + " deletion (default: ${DEFAULT-VALUE}).")
  private int timeLimitSeconds;

  @Option(
      names = "--shard-time-limit",
      paramLabel = "SECONDS",
      defaultValue = "1200",
      description =
          "Time limit for each shard to delete the documents of chunks that were moved away from"
              + " it (default: ${DEFAULT-VALUE}; MongoDB deletes them after 900).")
  private int shardTimeLimitSeconds;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    if (user.isBlank()) {
      throw usageError("USER: expected a text, found nothing");
    }
    requireAtLeast("--time-limit", 1, timeLimitSeconds);
    requireAtLeast("--shard-time-limit", 0, shardTimeLimitSeconds);
    if (!yes) {
      throw usageError("an erasure cannot be undone: add --yes");
    }
    LocationJobConfig config = options.load(Servers.Kind.MONGO);
    Optional<Erasure.Writers> writers =
        noJob ? Optional.empty() : Optional.of(writers(flink(), config));
    String storedAs = isPseudonym ? user : UserNames.of(config.pseudonymKey()).storedAs(user);
    ErasureReport report =
        new Erasure(
                target(config),
                writers,
                new Erasure.Limits(
                    config.parse().timestampLimits().maxAhead(),
                    Duration.ofSeconds(timeLimitSeconds),
                    Duration.ofSeconds(shardTimeLimitSeconds)),
                device -> removeFromPresence(device, config),
                neverReached(config, isPseudonym),
                showOnce())
            .run(storedAs, user);
    print(report, ErasureText.lines(report));
    return exitCode(report);
  }

  static int exitCode(ErasureReport report) {
    if (!report.failed().isEmpty()) {
      return ExitCode.SOFTWARE;
    }
    return report.erased() == 0 ? NO_RECORD : ExitCode.OK;
  }

  private Optional<String> removeFromPresence(String device, LocationJobConfig config)
      throws InterruptedException {
    String topic = config.devices().presenceTopic();
    return new PresenceTombstones(config.kafka(), topic, KAFKA_LIMIT)
        .write(device)
        .map(reason -> "the device's last presence in topic %s: %s".formatted(topic, reason));
  }

  private static UserErasure.Target target(LocationJobConfig config) {
    return new UserErasure.Target(
        config.historyMongo().withApplicationName(APPLICATION_NAME),
        config.history(),
        config.lastKnownLocationMongo().withApplicationName(APPLICATION_NAME),
        config.lastKnownLocation(),
        config.devices().collection(),
        Arrays.stream(NumberKind.values())
            .filter(NumberKind::isPersonal)
            .map(
                kind ->
                    new UserResults(
                        config.analytics().collections(kind),
                        kind == NumberKind.TRIPS
                            ? config.analytics().timeline().absence()
                            : Duration.ZERO))
            .toList(),
        config.erasureList());
  }

  /** All location topics, since the job may read more profiles than this configuration names. */
  static List<String> neverReached(LocationJobConfig config, boolean isPseudonym) {
    List<String> places = new ArrayList<>();
    if (isPseudonym) {
      places.add(
          "the device's presence in collection %s and in topic %s: both name the device by its id, which this command cannot derive from a pseudonym; run this with the id, without --pseudonym"
              .formatted(config.devices().collection().name(), config.devices().presenceTopic()));
    }
    List<String> topics =
        new ArrayList<>(
            List.of(config.kafka().rejectedTopic(), config.devices().heartbeatsTopic()));
    String locatedTopic = config.locatedTopic();
    if (locatedTopic != null) {
      topics.add(locatedTopic);
    }
    places.addAll(
        List.of(
            "Kafka's topics, until their retention ends: all whose names begin with %s, %s, and %s"
                .formatted(
                    config.kafka().locationTopicPrefix(),
                    String.join(", ", topics.subList(0, topics.size() - 1)),
                    topics.get(topics.size() - 1)),
            "the registration of a device of that name in topic %s, and the bytes that it pushed last: a message of the gateways for each"
                .formatted(config.devices().usageTopic()),
            "the state of the devices job: when the device gave its last sign of life, and what it said"
                + " about itself, until its first sign of life after the erasure",
            "the state of the analytics job: the user's newest places, from which it"
                + " stores no stay and no trip. Counts, density and flows include the user's"
                + " records until lastfix analyze computes them again",
            "the job's earlier checkpoints and savepoints; a job restored from them does not store"
                + " the user's records again",
            "backups of MongoDB; after a restore, run this again",
            "records that are read again after privacy.pseudonym-key was set, changed or removed:"
                + " the erasure list may lack the user's new name; run this again then, before the"
                + " job starts",
            "other jobs that write to the same collections under another name than "
                + config.name()));
    return places;
  }

  private Erasure.Writers writers(FlinkRest flink, LocationJobConfig config) {
    Map<String, String> historyJobs =
        Jobs.of(Jobs.Kind.BATCH).stream()
            .collect(
                Collectors.toMap(job -> job.nameIn(config), job -> "the batch job " + job.name()));
    Map<Jobs.Job, WritingJobs> streams = new LinkedHashMap<>();
    for (Jobs.Job job : Jobs.of(Jobs.Kind.STREAM)) {
      streams.put(
          job,
          new WritingJobs(
              flink,
              job.nameIn(config),
              job.personalSinks().apply(config),
              JobMetrics.FORGOTTEN_VERSION,
              historyJobs,
              showOnce()));
    }
    return new Erasure.Writers() {
      @Override
      public void requireReady() throws IOException {
        // The others need not run.
        Objects.requireNonNull(streams.get(Jobs.LOCATION)).requireReady();
      }

      @Override
      public List<String> await(long version, Duration limit)
          throws IOException, InterruptedException {
        List<String> waitedFor = new ArrayList<>();
        for (WritingJobs stream : streams.values()) {
          waitedFor.addAll(stream.await(version, limit));
        }
        return waitedFor;
      }
    };
  }

  private FlinkRest flink() throws IOException {
    String url =
        options
            .servers()
            .find(Servers.Kind.FLINK)
            .orElseThrow(
                () ->
                    new IOException(
                        "no Flink cluster is configured, and a job that runs there would store the"
                            + " user again: name the cluster with --flink, or give --no-job if"
                            + " no job runs"));
    FlinkRest flink = new FlinkRest(url);
    try {
      var unused = flink.jobs();
    } catch (IOException e) {
      throw new IOException(
          "%s; a job that runs there would store the user again. Give --no-job if no job runs"
              .formatted(e.getMessage()),
          e);
    }
    return flink;
  }

  /** Shows each reason for waiting once; the wait takes seconds and prints nothing else. */
  private Consumer<String> showOnce() {
    Trouble shown = new Trouble();
    return line -> {
      if (shown.isNew(line)) {
        say(line);
      }
    };
  }
}
