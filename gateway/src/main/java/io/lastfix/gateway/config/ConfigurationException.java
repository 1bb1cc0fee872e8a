package io.lastfix.gateway.config;

import java.util.List;

/** An invalid configuration, with all its problems. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ConfigurationException(List<String> problems) {
    super(
        "The gateway's configuration has %d problem%s:%n  %s"
            .formatted(
                problems.size(),
                problems.size() == 1 ? "" : "s",
                String.join(System.lineSeparator() + "  ", problems)));
  }
}
