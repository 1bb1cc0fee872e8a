package io.lastfix.stack.flink;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hands a job to a cluster. */
public interface JobSubmitter {
  /**
   * Submits a job, and returns once the cluster has it.
   *
   * @param jar the job's jar
   * @param arguments of its main class
   * @param savepoint to start from, or null
   * @param environment variables for the process, beside ours; where secrets are passed
   * @return the job's id
   * @throws IOException if it could not be submitted, with what Flink or the job said
   */
  String submit(
      Path jar, List<String> arguments, @Nullable String savepoint, Map<String, String> environment)
      throws IOException, InterruptedException;
}
