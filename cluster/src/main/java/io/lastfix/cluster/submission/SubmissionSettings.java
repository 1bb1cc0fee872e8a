package io.lastfix.cluster.submission;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job is submitted with. The values may be secret: they are passed to the job and compared,
 * and not stored unless they are {@link #shownValues}.
 */
public interface SubmissionSettings {
  /** The job's name, as configured. */
  String name();

  /** What {@code lastfix submit} calls the job. */
  String job();

  /** What would be lost if the job started without its state, for messages. */
  default String lostWithoutState() {
    return "records that wait for their cell there";
  }

  /** The cluster's address without a password, or {@link Submission#LOCAL_STACK}. */
  String cluster();

  /** The brokers that the job reads from, or {@link Submission#LOCAL_STACK}. */
  String kafka();

  /** The configuration's absolute path; null without one. */
  @Nullable String configFile();

  /** The keys given over the file, in order, without their values. */
  List<String> overriddenKeys();

  /** The values of those keys that cannot be secret; the last one of a key given twice. */
  default Map<String, String> shownValues() {
    return Map.of();
  }

  /** The arguments for the job's {@code main}, which refer to {@link #environment}. */
  List<String> arguments();

  /** The environment variables of the process that submits the job. */
  Map<String, String> environment();

  /**
   * Every key and value that the job gets. Each call reads the file again, because it may have
   * changed.
   */
  Map<String, String> effective();

  /** The job's own settings of Flink, which override the cluster's. */
  Map<String, String> flink();
}
