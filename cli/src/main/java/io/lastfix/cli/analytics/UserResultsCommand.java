package io.lastfix.cli.analytics;

import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.store.counts.NumberKind;
import java.util.List;
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
  UserResultsCommand(NumberKind kind, List<Column> columns, List<String> places) {
    super(kind, columns, places);
  }

  @Override
  @Nullable String user() {
    return user;
  }
}
