package io.lastfix.cli.job;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.ResumableJob;
import io.lastfix.cluster.submission.SubmittedJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.JobParameters;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.jobs.kafka.topics.UnreadTopics;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.StreamJobSettings;
import io.lastfix.operate.status.LocationReading;
import io.lastfix.operate.status.UncountedRecords;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lastfix submit}: starts a job on the cluster. */
@Command(
    name = "submit",
    description =
        "Starts a job on the Flink cluster, and returns when the cluster has accepted it.",
    footer = "  lastfix submit devices")
public final class SubmitCommand extends StreamJobCommand {
  /** The time limit of restoring the state. */
  private static final Duration RESTORE_LIMIT = Duration.ofMinutes(5);

  @Option(
      names = "--from-savepoint",
      paramLabel = "PATH",
      description = "Resume from this savepoint or checkpoint.")
  private @Nullable String savepoint;

  @Option(
      names = "--resume",
      description = {
        "Resume from the newest completed checkpoint or savepoint of the job of that name that"
            + " was last submitted from here, and return when it runs. Fails if there is none,"
            + " or if it cannot be restored."
      })
  private boolean resume;

  @Option(
      names = "--afresh",
      description = {
        "Start without the recorded checkpoint of the job of that name, and lose the records"
            + " that wait for their cell there. Without --afresh, the command refuses to start"
            + " the job if there is one."
      })
  private boolean afresh;

  /** Called by picocli: lists the jobs after the example. */
  @Spec
  void describeJobs(CommandSpec spec) {
    List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
    footer.addAll(List.of("", "Jobs:"));
    StreamNames.JOBS.forEach(
        each -> footer.addAll(List.of("  " + each.name(), "      " + each.description())));
    spec.usageMessage().footer(footer.toArray(String[]::new));
  }

  @Override
  public Integer call() throws Exception {
    if (resume && savepoint != null) {
      throw usageError("--resume and --from-savepoint exclude each other");
    }
    if (afresh && (resume || savepoint != null)) {
      throw usageError("--afresh excludes --resume and --from-savepoint");
    }
    Servers servers = options().servers();
    LocationJobConfig config =
        options().settings().load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    if (isLocationJob()) {
      requireProfiles(config);
    }
    ResumableJob stream =
        new StreamJobSettings(job(), servers, options().settings(), config).resumable();
    Optional<SubmittedJob> before = stream.findRemembered();
    ResumableJob.Started started = start(stream, before);
    String id = started.id();
    FlinkRest flink = new FlinkRest(servers.flink());
    print(
        emptyObject()
            .put("id", id)
            .put("name", job().nameIn(config))
            .put("page", flink.pageOf(id))
            .put("from", started.from().orElse(null)),
        "Started %s job %s (%s)%n%s%s"
            .formatted(
                job().name(),
                id,
                job().nameIn(config),
                started.from().map("It resumes from %s%n"::formatted).orElse(""),
                flink.pageOf(id)));
    try {
      warnOfUncountedRecords(flink, config, before);
    } catch (IOException e) {
      // The job runs: a script must not take that for a failure.
      say("Whether all records are counted is not known: " + e.getMessage());
    }
    if (isLocationJob()) {
      warnOfUnreadTopics(flink, config);
    }
    return 0;
  }

  private void warnOfUncountedRecords(
      FlinkRest flink, LocationJobConfig config, Optional<SubmittedJob> before) throws IOException {
    List<FlinkRest.Job> jobs = flink.jobs();
    if (isLocationJob()) {
      String analytics = Jobs.ANALYTICS.nameIn(config);
      UncountedRecords.problem(
              job().nameIn(config),
              Optional.of(
                  Objects.requireNonNullElse(config.locatedTopic(), JobParameters.NO_TOPIC)),
              analytics,
              UncountedRecords.topic(flink, jobs, analytics))
          .ifPresent(this::say);
      if (config.locatedTopic() != null
          && jobs.stream().anyMatch(it -> it.isUnfinished(analytics))) {
        before.flatMap(it -> gap(it, analytics)).ifPresent(this::say);
      }
    } else if (job().equals(Jobs.ANALYTICS)) {
      String location = Jobs.LOCATION.nameIn(config);
      UncountedRecords.problem(
              location,
              UncountedRecords.topic(flink, jobs, location),
              job().nameIn(config),
              Optional.ofNullable(config.locatedTopic()))
          .ifPresent(this::say);
    }
  }

  /** Returns a line if the location job certainly wrote no located records before. */
  static Optional<String> gap(SubmittedJob before, String analytics) {
    return before.submission().certainlyLacks("located.topic")
        ? Optional.of(
            "Job %s was submitted without located.topic before: the numbers of job %s lack what it stored then. Run lastfix analyze over that time"
                .formatted(before.name(), analytics))
        : Optional.empty();
  }

  /**
   * Refuses profiles that are left out by mistake. Their topics may have no unread record now, but
   * a gateway would accept later records, and no job would read them.
   */
  private void requireProfiles(LocationJobConfig config) {
    if (options().settings().gives(LocationJobConfig.PROFILE_NAMES)) {
      return;
    }
    Set<String> lost;
    try (Admin admin = KafkaAdmin.connect(config.kafka())) {
      lost = new UnreadTopics(admin, config.kafka()).readByGroup();
    }
    config.kafka().locationTopics(config.profileNames()).forEach(lost::remove);
    lost.removeAll(config.source().abandonedTopics());
    if (!lost.isEmpty()) {
      String names =
          lost.stream()
              .map(topic -> topic.substring(config.kafka().locationTopicPrefix().length()))
              .collect(Collectors.joining(","));
      throw new StackException(
          "the job was not started: group %s has read %s before, and this submission would not: give --set profiles.names=%s,%s as before, or leave the topics unread with --set source.abandon-topics=%s"
              .formatted(
                  config.kafka().groupId(),
                  String.join(", ", lost),
                  String.join(",", config.profileNames()),
                  names,
                  String.join(",", lost)));
    }
  }

  /** Says it only: the job runs, and another one may be started for those topics. */
  private void warnOfUnreadTopics(FlinkRest flink, LocationJobConfig config) throws IOException {
    LocationReading reading = LocationReading.of(flink, flink.jobs());
    // The new job may still be being set up, and have published nothing.
    Set<String> topics = new TreeSet<>(reading.topics());
    topics.addAll(config.kafka().locationTopics(config.profileNames()));
    try (Admin admin = KafkaAdmin.connect(config.kafka())) {
      new LocationReading(topics, true)
          .unread(admin, config.kafka(), config.source().abandonedTopics())
          .forEach(
              (topic, records) ->
                  say(
                      LocationReading.remedy(
                          topic, records, config.kafka().locationTopicPrefix())));
    } catch (IllegalStateException e) {
      say("Topics that no job reads could not be searched for: " + e.getMessage());
    }
  }

  private ResumableJob.Started start(ResumableJob stream, Optional<SubmittedJob> before)
      throws IOException, InterruptedException {
    if (resume) {
      before.ifPresent(this::warnOfOtherSettings);
      ResumableJob.Started started = stream.resume();
      stream.awaitRunning(started.id(), RESTORE_LIMIT, this::say);
      return started;
    }
    String id = stream.submit(savepoint, afresh);
    if (savepoint == null) {
      before
          .flatMap(known -> Optional.ofNullable(known.latest()))
          .ifPresent(
              path ->
                  err()
                      .printf(
                          "Started afresh. %s in %s; to resume from there: --from-savepoint%n",
                          isLocationJob()
                              ? "The records that waited for their cell in the previous job are"
                              : "The state of the previous job is",
                          path));
    }
    return new ResumableJob.Started(id, Optional.ofNullable(savepoint));
  }

  /** A resumed job may have changed settings on purpose, but may also lack some by mistake. */
  private void warnOfOtherSettings(SubmittedJob before) {
    JobSettings settings = options().settings();
    List<String> leftOut =
        before.submission().missingIn(settings.overriddenKeys(), settings.configFile() != null);
    if (!leftOut.isEmpty()) {
      err()
          .printf(
              "This submission lacks %s, which the previous one had%n", String.join(" ", leftOut));
    }
  }
}
