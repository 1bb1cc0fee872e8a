package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import org.jspecify.annotations.Nullable;

/** The keys {@code job.}: its name and its parallelism. */
final class JobKeys {
  static final Key<String> NAME =
      Key.text("job.name", "lastfix-location", "The job's name in Flink's web interface.");

  static final Key<Integer> PARALLELISM =
      Key.atLeastOne(
          "job.parallelism",
          null,
          "Subtasks of each operator. If not set, the cluster or 'flink run -p' decides.");

  static final Key<Integer> MAX_PARALLELISM =
      Key.number(
          "job.max-parallelism",
          720,
          1,
          32_768,
          "Key groups of the state, and therefore the maximum parallelism. You cannot change it once"
              + " a savepoint exists.");

  private JobKeys() {}

  static @Nullable Integer parallelism(SettingsReader reader, int maxParallelism) {
    Integer parallelism = reader.getIfGiven(PARALLELISM);
    reader.require(
        parallelism == null || parallelism <= maxParallelism,
        PARALLELISM,
        "at most " + MAX_PARALLELISM.name());
    return parallelism;
  }
}
