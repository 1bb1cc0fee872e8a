package io.lastfix.operate.status;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.JobTopic;
import io.lastfix.jobs.kafka.topics.JobParameters;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks whether a job on located records gets those that the location job beside it stores. No
 * other check finds that it does not: windows close also without records, and rules make no alert.
 */
public final class UncountedRecords {
  private UncountedRecords() {}

  /** The jobs that read located records. */
  public static List<Jobs.Job> readers() {
    return Jobs.of(Jobs.Kind.STREAM).stream()
        .filter(job -> job.reads().contains(JobTopic.LOCATED))
        .toList();
  }

  /** A line for each such job that has not ended and gets no records; by its name. */
  public static Map<String, String> of(FlinkRest flink, List<FlinkRest.Job> jobs)
      throws IOException {
    Map<String, String> lines = new TreeMap<>();
    for (Jobs.Job reader : readers()) {
      String suffix = reader.suffix();
      for (FlinkRest.Job job : jobs) {
        if (job.name().endsWith(suffix) && !job.isOver()) {
          String location = job.name().substring(0, job.name().length() - suffix.length());
          problem(
                  location,
                  topic(flink, jobs, location),
                  job.name(),
                  JobParameters.locatedTopic(flink.jobParameters(job.id())))
              .ifPresent(line -> lines.put(job.name(), line));
        }
      }
    }
    return lines;
  }

  /**
   * The topic of the job of that name that has not ended, as {@link JobParameters#locatedTopic}.
   */
  public static Optional<String> topic(FlinkRest flink, List<FlinkRest.Job> jobs, String name)
      throws IOException {
    for (FlinkRest.Job job : jobs) {
      if (job.isUnfinished(name)) {
        return JobParameters.locatedTopic(flink.jobParameters(job.id()));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a line if a reader gets no records; empty if it does, or if that is not known.
   *
   * @param location the location job's name
   * @param written its topic, as {@link JobParameters#locatedTopic}
   * @param reader the name of the job that reads
   * @param read its topic, likewise
   */
  public static Optional<String> problem(
      String location, Optional<String> written, String reader, Optional<String> read) {
    if (written.isEmpty() || read.isEmpty() || written.equals(read)) {
      return Optional.empty();
    }
    String why =
        written.get().equals(JobParameters.NO_TOPIC)
            ? "located.topic is not set for job %s".formatted(location)
            : "job %s writes its records to the topic %s".formatted(location, written.get());
    String what =
        reader.endsWith(Jobs.ANALYTICS.suffix())
            ? "its numbers lack what is stored meanwhile. Stop %s, resume it with --set located.topic=%s, and then run lastfix analyze over that time"
            : "it gets nothing of what is stored meanwhile. Stop %s, and resume it with --set located.topic=%s";
    return Optional.of(
        "%s, and job %s reads %s: %s"
            .formatted(why, reader, read.get(), what.formatted(location, read.get())));
  }
}
