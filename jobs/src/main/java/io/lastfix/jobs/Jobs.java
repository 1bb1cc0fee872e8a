package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import java.util.List;
import java.util.concurrent.Callable;
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
   * One job.
   *
   * @param name what the user calls it
   * @param mainClass has its {@code main}
   * @param description what it does, in one line
   * @param suffix what follows {@code job.name} in its name in Flink
   */
  public record Job(String name, Class<?> mainClass, String description, Kind kind, String suffix) {
    /** Returns its name in Flink's web interface. */
    public String nameIn(LocationJobConfig config) {
      return config.name() + suffix;
    }
  }

  public static final Job LOCATION =
      new Job("location", LocationJob.class, LocationJob.DESCRIPTION, Kind.STREAM, "");

  public static final Job DEVICES =
      new Job("devices", DevicesJob.class, DevicesJob.DESCRIPTION, Kind.STREAM, "-devices");

  public static final Job ANALYTICS =
      new Job("analytics", AnalyticsJob.class, AnalyticsJob.DESCRIPTION, Kind.STREAM, "-analytics");

  public static final Job REBUILD_LAST_KNOWN_LOCATION =
      new Job(
          "rebuild-last-known-location",
          RebuildLastKnownLocationJob.class,
          RebuildLastKnownLocationJob.DESCRIPTION,
          Kind.BATCH,
          "-rebuild-lkl");

  public static final Job RELOCATE =
      new Job("relocate", RelocateJob.class, RelocateJob.DESCRIPTION, Kind.BATCH, "-relocate");

  public static final Job ANALYZE =
      new Job("analyze", AnalyzeJob.class, AnalyzeJob.DESCRIPTION, Kind.BATCH, "-analyze");

  private static final List<Job> ALL =
      List.of(LOCATION, DEVICES, ANALYTICS, REBUILD_LAST_KNOWN_LOCATION, RELOCATE, ANALYZE);

  private Jobs() {}

  /**
   * The body of a job's {@code main}: reads the options, and calls the job unless they ask for
   * help. Not {@code command.execute}: {@code flink run} needs the exception to report it and to
   * exit non-zero.
   *
   * @param command of a {@link Callable}
   */
  public static void run(CommandLine command, String[] args) throws Exception {
    if (!CommandLine.printHelpIfRequested(command.parseArgs(args))) {
      command.<Callable<?>>getCommand().call();
    }
  }

  /** All jobs of a kind. */
  public static List<Job> of(Kind kind) {
    return ALL.stream().filter(job -> job.kind() == kind).toList();
  }
}
