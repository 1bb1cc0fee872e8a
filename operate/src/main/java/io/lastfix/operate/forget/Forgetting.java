package io.lastfix.operate.forget;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.WritingJobs;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.PresenceTombstones;
import io.lastfix.kit.poll.Trouble;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.rules.KafkaRuleTopic;
import io.lastfix.operate.rules.RulesOfUser;
import io.lastfix.rules.alert.AlertTopics;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Erases a user from all that the jobs of a configuration store and hold. */
public final class Forgetting {
  private static final String APPLICATION_NAME = "lastfix-forget";
  private static final Duration KAFKA_LIMIT = Duration.ofSeconds(30);

  private final LocationJobConfig config;
  private final Optional<FlinkRest> flink;
  private final Consumer<String> progress;
  private final Trouble shown = new Trouble();

  /**
   * For the jobs of that configuration.
   *
   * @param flink the cluster of the jobs; empty: none of them runs, according to the user
   * @param progress receives each reason for waiting once; the wait takes seconds
   */
  public Forgetting(
      LocationJobConfig config, Optional<FlinkRest> flink, Consumer<String> progress) {
    this.config = config;
    this.flink = flink;
    this.progress = progress;
  }

  /**
   * Returns the cluster of the jobs.
   *
   * @throws IOException if none is configured, or it does not answer; says what to do
   */
  public static FlinkRest flink(Servers servers) throws IOException {
    String url =
        servers
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

  /**
   * Erases a user.
   *
   * @param user as messages name the user
   * @param isPseudonym whether it is already the name in the collections
   * @param step limit of the wait for the jobs, and of each request to MongoDB
   * @param shards limit of the wait until each shard has deleted what was moved away
   * @throws IOException naming the step that failed
   */
  public ErasureReport run(String user, boolean isPseudonym, Duration step, Duration shards)
      throws IOException, InterruptedException {
    String storedAs = isPseudonym ? user : UserNames.of(config.pseudonymKey()).storedAs(user);
    List<String> neverReached = neverReached(isPseudonym);
    RulesOfUser.find(
            new KafkaRuleTopic(config.kafka(), config.rules().topic()), List.of(storedAs, user))
        .ifPresent(neverReached::add);
    return new Erasure(
            target(),
            flink.map(this::writers),
            new Erasure.Limits(config.parse().timestampLimits().maxAhead(), step, shards),
            this::removeFromPresence,
            neverReached,
            this::showOnce)
        .run(storedAs, user);
  }

  private void showOnce(String line) {
    if (shown.isNew(line)) {
      progress.accept(line);
    }
  }

  private Optional<String> removeFromPresence(String device) throws InterruptedException {
    String topic = config.devices().presenceTopic();
    return new PresenceTombstones(config.kafka(), topic, KAFKA_LIMIT)
        .write(device)
        .map(reason -> "the device's last presence in topic %s: %s".formatted(topic, reason));
  }

  private UserErasure.Target target() {
    return new UserErasure.Target(
        config.historyMongo().withApplicationName(APPLICATION_NAME),
        config.history(),
        config.lastKnownLocationMongo().withApplicationName(APPLICATION_NAME),
        config.lastKnownLocation(),
        config.devices().collection(),
        Stream.concat(
                Arrays.stream(NumberKind.values())
                    .filter(NumberKind::isPersonal)
                    .map(
                        kind ->
                            new UserResults(
                                config.analytics().collections(kind),
                                kind == NumberKind.TRIPS
                                    ? config.analytics().timeline().absence()
                                    : Duration.ZERO)),
                Stream.of(UserResults.ofAlerts(config.rules().alerts())))
            .toList(),
        config.erasureList());
  }

  /** All location topics, since the job may read more profiles than this configuration names. */
  List<String> neverReached(boolean isPseudonym) {
    List<String> places = new ArrayList<>();
    if (isPseudonym) {
      places.add(
          "the device's presence in collection %s and in topic %s: both name the device by its id, which this command cannot derive from a pseudonym; run this with the id, without --pseudonym"
              .formatted(config.devices().collection().name(), config.devices().presenceTopic()));
    }
    List<String> topics =
        new ArrayList<>(
            List.of(
                config.kafka().rejectedTopic(),
                config.devices().heartbeatsTopic(),
                config.rules().alertsTopic(),
                AlertTopics.UNDELIVERED));
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
            "the receivers of alerts, and lastfix notify, which delivers an alert of the user for as"
                + " long as it tries it (delivery.retry-for)",
            "the registration of a device of that name in topic %s, and the bytes that it pushed last: a message of the gateways for each"
                .formatted(config.devices().usageTopic()),
            "the state of the devices job: when the device gave its last sign of life, and what it said"
                + " about itself, until its first sign of life after the erasure",
            "the state of the analytics job: the user's newest places, from which it"
                + " stores no stay and no trip. Counts, density and flows include the user's"
                + " records until lastfix analyze computes them again",
            "the state of the rules job: the user's last position, and the rules that were true,"
                + " until rules.forget-after after the last record",
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

  private Erasure.Writers writers(FlinkRest cluster) {
    return new Erasure.Writers() {
      @Override
      public void requireReady() throws IOException {
        // The others need not run.
        writing(cluster, Jobs.LOCATION).requireReady();
      }

      @Override
      public List<String> await(long version, Duration limit)
          throws IOException, InterruptedException {
        List<String> waitedFor = new ArrayList<>();
        for (Jobs.Job stream : Jobs.of(Jobs.Kind.STREAM)) {
          waitedFor.addAll(writing(cluster, stream).await(version, limit));
        }
        return waitedFor;
      }
    };
  }

  private WritingJobs writing(FlinkRest cluster, Jobs.Job stream) {
    Map<String, String> historyJobs =
        Jobs.of(Jobs.Kind.BATCH).stream()
            .collect(
                Collectors.toMap(job -> job.nameIn(config), job -> "the batch job " + job.name()));
    return new WritingJobs(
        cluster,
        stream.nameIn(config),
        stream.personalSinks().apply(config),
        JobMetrics.FORGOTTEN_VERSION,
        historyJobs,
        this::showOnce);
  }
}
