package io.lastfix.cluster.submission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A submission. Of the values that the user gave with {@code --set} it stores those that cannot be
 * secret, so that a message can show the whole command; and the brokers' addresses.
 *
 * @param name the job's, as configured
 * @param cluster the cluster's address without a password, or {@link #LOCAL_STACK}
 * @param jar its path
 * @param configFile the configuration's absolute path; null without one
 * @param overriddenKeys the keys given with {@code --set}, in that order
 * @param shownValues the values of those keys among them that cannot be secret
 * @param fingerprint of every given value and address, see {@link SettingsFingerprint}
 * @param checkpointDirectory in which Flink creates one folder for each job; null if unknown
 * @param savepointDirectory the default target of savepoints; null if unknown
 * @param kafka the brokers that the job reads from, or {@link #LOCAL_STACK}
 * @param job what {@code lastfix submit} calls it
 */
public record Submission(
    String name,
    String cluster,
    String jar,
    @Nullable String configFile,
    List<String> overriddenKeys,
    Map<String, String> shownValues,
    String fingerprint,
    @Nullable String checkpointDirectory,
    @Nullable String savepointDirectory,
    String kafka,
    String job) {
  /** What no shell changes. */
  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_./:,=+@%-]+");

  /** Stands for an address of the local stack, which may change. */
  public static final String LOCAL_STACK = "local stack";

  /** Copies the collections, and rejects the missing values of a damaged file. */
  public Submission {
    Objects.requireNonNull(name, "name is missing");
    Objects.requireNonNull(cluster, "cluster is missing");
    Objects.requireNonNull(jar, "jar is missing");
    Objects.requireNonNull(fingerprint, "fingerprint is missing");
    overriddenKeys =
        List.copyOf(Objects.requireNonNull(overriddenKeys, "overriddenKeys is missing"));
    shownValues = Map.copyOf(Objects.requireNonNull(shownValues, "shownValues is missing"));
    Objects.requireNonNull(kafka, "kafka is missing");
    Objects.requireNonNull(job, "job is missing");
  }

  /** Returns whether it was submitted to the local stack's Flink. */
  public boolean targetsLocalStack() {
    return cluster.equals(LOCAL_STACK);
  }

  /**
   * Returns whether the job reads from those brokers, judged by their addresses.
   *
   * @param brokers as {@link #kafka}
   */
  public boolean readsFrom(String brokers) {
    return !Collections.disjoint(addresses(kafka), addresses(brokers));
  }

  /**
   * The settings of this submission that another one lacks, as options.
   *
   * @param keys given with {@code --set} there
   * @param hasConfigFile whether a file was given there; it may be another one
   */
  public List<String> missingIn(List<String> keys, boolean hasConfigFile) {
    List<String> options = new ArrayList<>();
    if (configFile != null && !hasConfigFile) {
      options.add("--config " + quoted(configFile));
    }
    overriddenKeys.stream()
        .filter(key -> !keys.contains(key))
        .distinct()
        .forEach(key -> options.add("--set " + setting(key)));
    return options;
  }

  /** Returns whether it had no such setting; false also if its file may have had it. */
  public boolean certainlyLacks(String key) {
    return configFile == null && !overriddenKeys.contains(key);
  }

  /** The options with which the job was submitted; "..." stands for a value that may be secret. */
  List<String> options() {
    return missingIn(List.of(), false);
  }

  /** The command that resumes it. */
  String resumeCommand() {
    List<String> words = new ArrayList<>();
    words.add("lastfix submit %s --resume".formatted(job));
    words.addAll(options());
    return String.join(" ", words);
  }

  private String setting(String key) {
    String value = shownValues.get(key);
    return value == null ? key + "=..." : quoted(key + "=" + value);
  }

  /** The word as a shell reads it. */
  private static String quoted(String word) {
    return PLAIN_WORD.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static Set<String> addresses(String brokers) {
    return Arrays.stream(brokers.split(","))
        .map(address -> address.strip().toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }
}
