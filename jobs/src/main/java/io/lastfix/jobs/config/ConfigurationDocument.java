package io.lastfix.jobs.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.util.TimeUtils;

/**
 * Writes {@code config/location.yaml}: every key with its meaning, its type and its default. A test
 * compares the file with this; after a change of a key in {@link LocationJobOptions}, run {@link
 * #main} with the file's path.
 */
public final class ConfigurationDocument {
  private static final int WIDTH = 100;
  private static final Set<ConfigOption<?>> ADDRESSES =
      Set.of(KafkaKeys.BOOTSTRAP_SERVERS.option(), MongoKeys.URI.option());

  private ConfigurationDocument() {}

  /** Writes the file named by the one argument. */
  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[0]), render());
  }

  static String render() {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        # The location job's configuration: every key with its default. The servers' addresses are
        # commented out, so that a copy of this file uses the local stack until you set yours.
        # This file is generated from LocationJobOptions.java; a test compares the two.
        #
        # "--set key=value" overrides it. ${NAME} stands for an environment variable and ${file:/path}
        # for the content of a file: keep secrets there. Nested maps work too.
        """);
    String part = "";
    for (ConfigOption<?> option : LocationJobOptions.all()) {
      String partOfKey = option.key().split("\\.", 2)[0];
      if (!partOfKey.equals(part)) {
        part = partOfKey;
        out.append("\n# ---- ")
            .append(part)
            .append(" ")
            .append("-".repeat(WIDTH - 9 - part.length()))
            .append('\n');
      }
      out.append('\n');
      comment(out, LocationJobOptions.description(option));
      if (ADDRESSES.contains(option)) {
        // A copy of this file with these set would keep lastfix from using the local stack.
        out.append("# ").append(option.key()).append(": ").append(defaultText(option)).append('\n');
      } else if (option.hasDefaultValue()) {
        out.append(option.key()).append(": ").append(defaultText(option)).append('\n');
      } else {
        out.append("# ").append(option.key()).append(":\n");
      }
    }
    out.append("\n# ---- keys of Kafka and Flink ").append("-".repeat(WIDTH - 32)).append("\n\n");
    comment(
        out,
        "The job passes each key after 'kafka.properties.' unchanged to every Kafka client, for"
            + " example security settings. It passes each key after 'flink.' unchanged to Flink;"
            + " these override Lastfix's own settings.");
    out.append("# kafka.properties.security.protocol: SASL_SSL\n");
    out.append("# flink.state.backend.type: rocksdb\n");
    return out.toString();
  }

  private static void comment(StringBuilder out, String text) {
    StringBuilder line = new StringBuilder("#");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        out.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    out.append(line).append('\n');
  }

  static String defaultText(ConfigOption<?> option) {
    Object value = option.defaultValue();
    if (value instanceof List<?> list) {
      return list.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Duration duration) {
      return TimeUtils.formatWithHighestUnit(duration);
    }
    return String.valueOf(value);
  }
}
