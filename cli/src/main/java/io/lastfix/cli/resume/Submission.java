package io.lastfix.cli.resume;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted. It never holds a value that the user gave with {@code --set}: such a value
 * may be a secret.
 *
 * @param name the job's, as configured
 * @param cluster the cluster's address without a password, or {@link #LOCAL_STACK}
 * @param jar its path
 * @param configFile the configuration's absolute path; null without one
 * @param overriddenKeys the keys that were given with {@code --set}, in that order
 * @param fingerprint of every value and address it was given, see {@link SettingsFingerprint}
 * @param checkpointDirectory in which Flink makes one folder for each job; null if unknown
 * @param savepointDirectory where savepoints go that name no other; null if unknown
 */
public record Submission(
    String name,
    String cluster,
    String jar,
    @Nullable String configFile,
    List<String> overriddenKeys,
    String fingerprint,
    @Nullable String checkpointDirectory,
    @Nullable String savepointDirectory) {
  /** Stands for the address of the local stack's cluster, which may change. */
  public static final String LOCAL_STACK = "local stack";

  /** Copies the list, and refuses what a damaged file leaves out. */
  public Submission {
    Objects.requireNonNull(name, "name is missing");
    Objects.requireNonNull(cluster, "cluster is missing");
    Objects.requireNonNull(jar, "jar is missing");
    Objects.requireNonNull(fingerprint, "fingerprint is missing");
    overriddenKeys =
        List.copyOf(Objects.requireNonNull(overriddenKeys, "overriddenKeys is missing"));
  }
}
