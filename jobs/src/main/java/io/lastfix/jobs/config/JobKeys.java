package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import org.jspecify.annotations.Nullable;

/** The keys {@code job.}: its name and its parallelism. */
final class JobKeys {
  static final Key<String> NAME =
      Key.text(
          key("job.name")
              .stringType()
              .defaultValue("lastfix-location")
              .withDescription("The job's name in Flink's web interface."));

  static final Key<Integer> PARALLELISM =
      Key.atLeastOne(
          key("job.parallelism")
              .intType()
              .noDefaultValue()
              .withDescription(
                  "Subtasks of each operator. If not set, the cluster or 'flink run -p'"
                      + " decides."));

  static final Key<Integer> MAX_PARALLELISM =
      Key.of(
              key("job.max-parallelism")
                  .intType()
                  .defaultValue(720)
                  .withDescription(
                      "Key groups of the state, and therefore the maximum parallelism. You"
                          + " cannot change it once a savepoint exists."))
          .where(n -> n >= 1 && n <= 32_768, "1 to 32768");

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
