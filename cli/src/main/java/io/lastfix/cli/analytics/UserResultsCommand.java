package io.lastfix.cli.analytics;

import io.lastfix.store.counts.NumberKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that shows results of users: stays or trips. */
abstract class UserResultsCommand extends ResultsCommand {
  @Option(
      names = "--user",
      paramLabel = "USER",
      description = "Only those of this device or subscriber, as messages name it.")
  private @Nullable String user;

  /** See {@link ResultsCommand}. */
  UserResultsCommand(NumberKind kind, Map<String, String> headings) {
    super(kind, headings);
  }

  @Override
  @Nullable String user() {
    return user;
  }
}
