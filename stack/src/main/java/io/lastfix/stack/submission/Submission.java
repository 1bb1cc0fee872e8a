package io.lastfix.stack.submission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted. Of the values that the user gave with {@code --set} it holds the addresses of
 * the brokers and no other: it may be a secret.
 *
 * @param name the job's, as configured
 * @param cluster the cluster's address without a password, or {@link #LOCAL_STACK}
 * @param jar its path
 * @param configFile the configuration's absolute path; null without one
 * @param overriddenKeys the keys that were given with {@code --set}, in that order
 * @param fingerprint of every value and address it was given, see {@link SettingsFingerprint}
 * @param checkpointDirectory in which Flink makes one folder for each job; null if unknown
 * @param savepointDirectory where savepoints go that name no other; null if unknown
 * @param kafka the brokers that the job reads from, or {@link #LOCAL_STACK}; null if written by
 *     0.1.0
 */
public record Submission(
    String name,
    String cluster,
    String jar,
    @Nullable String configFile,
    List<String> overriddenKeys,
    String fingerprint,
    @Nullable String checkpointDirectory,
    @Nullable String savepointDirectory,
    @Nullable String kafka) {
  /** Stands for an address of the local stack, which may change. */
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

  /** Whether it went to the local stack's Flink. */
  public boolean wentToLocalStack() {
    return cluster.equals(LOCAL_STACK);
  }

  /**
   * Whether the job reads from those brokers, as far as their addresses tell. A submission that
   * 0.1.0 wrote down counts as one that reads from the local stack only if it went there.
   *
   * @param brokers as {@link #kafka}
   */
  public boolean readsFrom(String brokers) {
    return kafka == null
        ? wentToLocalStack() == brokers.equals(LOCAL_STACK)
        : !Collections.disjoint(addresses(kafka), addresses(brokers));
  }

  /**
   * What this submission was given that another one is not, as options.
   *
   * @param keys given with {@code --set} there
   * @param hasConfigFile whether a file was given there; it may be another one
   */
  public List<String> leftOutOf(List<String> keys, boolean hasConfigFile) {
    List<String> options = new ArrayList<>();
    if (configFile != null && !hasConfigFile) {
      options.add("--config " + configFile);
    }
    overriddenKeys.stream()
        .filter(key -> !keys.contains(key))
        .distinct()
        .forEach(key -> options.add("--set " + key + "=..."));
    return options;
  }

  private static Set<String> addresses(String brokers) {
    return Arrays.stream(brokers.split(","))
        .map(address -> address.strip().toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }
}
