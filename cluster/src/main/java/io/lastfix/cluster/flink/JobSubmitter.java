package io.lastfix.cluster.flink;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Submits a job to a cluster. */
public interface JobSubmitter {
  /**
   * Submits a job, and returns once the cluster has accepted it.
   *
   * @param jar the job's jar
   * @param arguments of its main class
   * @param savepoint to start from, or null
   * @param environment variables for the process, in addition to ours; they carry secrets
   * @return the job's id
   * @throws IOException if it could not be submitted, with the message of Flink or the job
   */
  String submit(
      Path jar, List<String> arguments, @Nullable String savepoint, Map<String, String> environment)
      throws IOException, InterruptedException;

  /**
   * Waits until the submissions of killed commands have ended, which run in processes of their own
   * and may still start a job.
   *
   * @throws IOException if one does not end in time
   */
  default void awaitOthers() throws IOException, InterruptedException {}
}
