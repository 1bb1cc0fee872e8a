package io.lastfix.local;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Further options of a JVM, which a user names in the environment. */
public final class JavaOptions {
  private JavaOptions() {}

  /**
   * Returns the options of a variable, which has blanks between them.
   *
   * @return none, if the variable is not set
   */
  public static List<String> of(Map<String, String> environment, String variable) {
    return Stream.of(environment.getOrDefault(variable, "").trim().split("\\s+"))
        .filter(option -> !option.isEmpty())
        .toList();
  }
}
