package io.lastfix.kit.config;

import java.util.List;

/** An invalid configuration, with all its problems. */
public final class ConfigurationException extends RuntimeException {
  private final transient List<String> problems;

  ConfigurationException(String subject, List<String> problems) {
    super(
        "%s has %d problem%s:%n  %s"
            .formatted(
                subject,
                problems.size(),
                problems.size() == 1 ? "" : "s",
                String.join(System.lineSeparator() + "  ", problems)));
    this.problems = problems;
  }

  /** One line per problem: place, key, expected value, found value. */
  public List<String> problems() {
    return problems;
  }
}
