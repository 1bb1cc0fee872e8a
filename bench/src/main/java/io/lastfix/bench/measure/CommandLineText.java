package io.lastfix.bench.measure;

import io.lastfix.cluster.Redaction;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.GlobalConfiguration;

/** A command line as it is written with the results, which others may read. */
public final class CommandLineText {
  private CommandLineText() {}

  /** The command line of {@code lastfix} with these words, without secret values. */
  public static String withoutSecrets(List<String> words) {
    List<String> shown = new ArrayList<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      shown.add(
          equals > 0 && maySetASecret(word.substring(0, equals))
              ? word.substring(0, equals) + "=..."
              : Redaction.redact(word));
    }
    return "lastfix " + String.join(" ", shown);
  }

  private static boolean maySetASecret(String key) {
    return GlobalConfiguration.isSensitive(key)
        || key.contains("uri")
        || key.contains("privacy.")
        || key.contains("kafka.properties.");
  }
}
