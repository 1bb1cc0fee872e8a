package io.lastfix.cluster.submission;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a job is submitted with. The values may be secret: they are passed to the job and compared,
 * and not stored unless they are {@link #shownValues}.
 *
 * @param name the job's, as configured
 * @param job what {@code lastfix submit} calls the job
 * @param lostWithoutState what would be lost if the job started without its state, for messages
 * @param cluster the cluster's address without a password, or {@link Submission#LOCAL_STACK}
 * @param kafka the brokers that the job reads from, or {@link Submission#LOCAL_STACK}
 * @param configFile the configuration's absolute path; null without one
 * @param overriddenKeys the keys given over the file, in order, without their values
 * @param shownValues the values of those keys that cannot be secret; the last one of a key given
 *     twice
 * @param arguments for the job's {@code main}, which refer to the environment
 * @param environment the variables of the process that submits the job
 * @param effective returns every key and value that the job gets. Each call reads the file again,
 *     because it may have changed.
 * @param flink the job's own settings of Flink, which override the cluster's
 */
public record SubmissionSettings(
    String name,
    String job,
    String lostWithoutState,
    String cluster,
    String kafka,
    @Nullable String configFile,
    List<String> overriddenKeys,
    Map<String, String> shownValues,
    List<String> arguments,
    Map<String, String> environment,
    Supplier<Map<String, String>> effective,
    Map<String, String> flink) {
  /** Leaves out what may be secret. */
  @Override
  public String toString() {
    return "SubmissionSettings[name=%s, cluster=%s]".formatted(name, cluster);
  }
}
