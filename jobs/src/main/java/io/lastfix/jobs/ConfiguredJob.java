package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A job, with the options of every job: its configuration, which they share. */
abstract class ConfiguredJob implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The location job's configuration (YAML); config/location.yaml has every key. If not"
              + " given, the defaults apply.")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file. You may repeat this option.")
  private List<String> overrides = List.of();

  LocationJobConfig config() {
    return LocationJobConfig.load(configFile, overrides);
  }

  /** Returns the configuration with one more key, which the user has not given. */
  LocationJobConfig configWith(String key, String value) {
    List<String> more = new ArrayList<>(overrides);
    more.add(key + "=" + value);
    return LocationJobConfig.load(configFile, more);
  }

  /**
   * Returns the topic of located records, for a job that reads them.
   *
   * @throws IllegalArgumentException if it is not configured, with the remedy
   */
  static String requireLocatedTopic(LocationJobConfig config) {
    String located = config.locatedTopic();
    if (located == null) {
      throw new IllegalArgumentException(
          "located.topic: expected the topic that the location job writes, found nothing: set it"
              + " (for example located.topic: lastfix.located) for both jobs, and restart the"
              + " location job first");
    }
    return located;
  }

  /** Returns whether the user has given that key. */
  boolean gives(String key) {
    return Settings.load(configFile, overrides, System::getenv).has(key);
  }
}
