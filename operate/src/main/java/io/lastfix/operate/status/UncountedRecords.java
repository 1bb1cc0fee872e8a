package io.lastfix.operate.status;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.kafka.topics.JobParameters;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks whether an analytics job gets the records that the location job beside it stores. No other
 * check finds that it does not, because windows close also without records.
 */
public final class UncountedRecords {
  private UncountedRecords() {}

  /** A line for each analytics job that has not ended and gets no records; by its name. */
  public static Map<String, String> of(FlinkRest flink, List<FlinkRest.Job> jobs)
      throws IOException {
    String suffix = Jobs.ANALYTICS.suffix();
    Map<String, String> lines = new TreeMap<>();
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
   * Returns a line if the analytics job gets no records; empty if it does, or if that is not known.
   *
   * @param location the location job's name
   * @param written its topic, as {@link JobParameters#locatedTopic}
   * @param analytics the analytics job's name
   * @param read its topic, likewise
   */
  public static Optional<String> problem(
      String location, Optional<String> written, String analytics, Optional<String> read) {
    if (written.isEmpty() || read.isEmpty() || written.equals(read)) {
      return Optional.empty();
    }
    String why =
        written.get().equals(JobParameters.NO_TOPIC)
            ? "located.topic is not set for job %s".formatted(location)
            : "job %s writes its records to the topic %s".formatted(location, written.get());
    return Optional.of(
        "%s, and job %s reads %s: its numbers lack what is stored meanwhile. Stop %s, resume it with --set located.topic=%s, and then run lastfix analyze over that time"
            .formatted(why, analytics, read.get(), location, read.get()));
  }
}
