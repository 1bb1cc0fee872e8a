package io.lastfix.jobs;

import io.lastfix.jobs.config.JobTopic;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.store.counts.NumberKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import picocli.CommandLine;

/**
 * The jobs in the job jar. {@code lastfix submit}, {@code stop} and {@code supervise} take the name
 * of a stream, and submit its main class. All jobs share one configuration.
 */
public final class Jobs {
  /** How a job runs. */
  public enum Kind {
    /** Until it is stopped; its state can be resumed. */
    STREAM,
    /** Until it has read all its input. It has a command of its own. */
    BATCH
  }

  /**
   * One job. The commands, the reference and the manifests for Kubernetes follow this description.
   *
   * @param name what the user calls it
   * @param mainClass has its {@code main}
   * @param description what it does, in one line
   * @param kind how it runs
   * @param suffix what follows {@code job.name} in its name in Flink, and {@code kafka.group-id} in
   *     the name of its consumer group
   * @param reads topics that a stream reads; none of a batch job, whose command has the rights
   * @param writes topics that it writes
   * @param personalSinks names of its sinks that an erasure waits for: they store users' data, and
   *     leave out erased users
   */
  public record Job(
      String name,
      Class<?> mainClass,
      String description,
      Kind kind,
      String suffix,
      List<JobTopic> reads,
      List<JobTopic> writes,
      Function<LocationJobConfig, List<String>> personalSinks) {
    /** A batch job. */
    private Job(String name, Class<?> mainClass, String description, String suffix) {
      this(
          name,
          mainClass,
          description,
          Kind.BATCH,
          suffix,
          List.of(),
          List.of(),
          config -> List.of());
    }

    /** Returns its name in Flink's web interface. */
    public String nameIn(LocationJobConfig config) {
      return config.name() + suffix;
    }

    /** Returns the consumer group under which a stream commits its offsets. */
    public String groupId(KafkaOptions kafka) {
      return kafka.groupId() + suffix;
    }

    /** Returns the topics that a stream reads or writes, each once. */
    public List<JobTopic> topics() {
      return Stream.concat(reads.stream(), writes.stream()).distinct().toList();
    }

    /**
     * Returns the operations of Kafka's ACLs that a stream needs on a topic that it reads or
     * writes. It creates those that it writes and those that no job writes; and that of presence,
     * since the job that writes it runs only with a gateway.
     */
    public Set<AclOperation> rights(JobTopic topic) {
      Set<AclOperation> rights = EnumSet.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
      if (reads.contains(topic)) {
        rights.add(AclOperation.READ);
      }
      if (writes.contains(topic)) {
        rights.add(AclOperation.WRITE);
      }
      if (writes.contains(topic)
          || topic == JobTopic.PRESENCE
          || ALL.stream().noneMatch(job -> job.writes.contains(topic))) {
        rights.add(AclOperation.CREATE);
      }
      if (topic == JobTopic.REJECTED) {
        // The job raises its limits.
        rights.add(AclOperation.ALTER_CONFIGS);
      }
      return rights;
    }
  }

  public static final Job LOCATION =
      new Job(
          "location",
          LocationJob.class,
          LocationJob.DESCRIPTION,
          Kind.STREAM,
          "",
          List.of(JobTopic.LOCATIONS, JobTopic.CELLS),
          List.of(JobTopic.REJECTED, JobTopic.LOCATED),
          config -> List.of(JobMetrics.HISTORY, JobMetrics.LAST_KNOWN_LOCATION));

  public static final Job DEVICES =
      new Job(
          "devices",
          DevicesJob.class,
          DevicesJob.DESCRIPTION,
          Kind.STREAM,
          "-devices",
          List.of(JobTopic.HEARTBEATS),
          List.of(JobTopic.PRESENCE, JobTopic.USAGE),
          config -> List.of(DevicesJob.DEVICES_SINK, DevicesJob.CHANGES_SINK));

  public static final Job ANALYTICS =
      new Job(
          "analytics",
          AnalyticsJob.class,
          AnalyticsJob.DESCRIPTION,
          Kind.STREAM,
          "-analytics",
          List.of(JobTopic.LOCATED),
          List.of(JobTopic.COUNTS),
          config ->
              config.analytics().numbers().stream()
                  .filter(NumberKind::isPersonal)
                  .map(NumberKind::text)
                  .toList());

  public static final Job RULES =
      new Job(
          "rules",
          RulesJob.class,
          RulesJob.DESCRIPTION,
          Kind.STREAM,
          "-rules",
          List.of(JobTopic.LOCATED, JobTopic.PRESENCE, JobTopic.RULES, JobTopic.USAGE),
          List.of(JobTopic.RULES, JobTopic.APPLIED, JobTopic.ALERTS),
          config -> List.of(RulesJob.ALERTS_SINK, RulesJob.PUBLISHED_ALERTS_SINK));

  public static final Job REBUILD_LAST_KNOWN_LOCATION =
      new Job(
          "rebuild-last-known-location",
          RebuildLastKnownLocationJob.class,
          RebuildLastKnownLocationJob.DESCRIPTION,
          "-rebuild-lkl");

  public static final Job RELOCATE =
      new Job("relocate", RelocateJob.class, RelocateJob.DESCRIPTION, "-relocate");

  public static final Job ANALYZE =
      new Job("analyze", AnalyzeJob.class, AnalyzeJob.DESCRIPTION, "-analyze");

  private static final List<Job> ALL =
      List.of(LOCATION, DEVICES, ANALYTICS, RULES, REBUILD_LAST_KNOWN_LOCATION, RELOCATE, ANALYZE);

  private Jobs() {}

  /**
   * The body of a job's {@code main}: reads the options, and calls the job unless they ask for
   * help. Not {@code command.execute}: {@code flink run} needs the exception to report it and to
   * exit non-zero.
   *
   * @param job has picocli's annotations
   */
  public static void run(Callable<?> job, String[] args) throws Exception {
    CommandLine command = new CommandLine(job).setCaseInsensitiveEnumValuesAllowed(true);
    if (!CommandLine.printHelpIfRequested(command.parseArgs(args))) {
      job.call();
    }
  }

  /** All jobs of a kind. */
  public static List<Job> of(Kind kind) {
    return ALL.stream().filter(job -> job.kind() == kind).toList();
  }

  /**
   * Returns the streaming job of a name.
   *
   * @throws IllegalArgumentException naming all, if there is none
   */
  public static Job stream(String name) {
    List<Job> streams = of(Kind.STREAM);
    return streams.stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of %s (case-sensitive) but was '%s'"
                        .formatted(streams.stream().map(Job::name).toList(), name)));
  }
}
