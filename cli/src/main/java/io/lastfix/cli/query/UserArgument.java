package io.lastfix.cli.query;

import io.lastfix.operate.access.QuerySession;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The user to query; a mixin. */
final class UserArgument {
  @Parameters(
      paramLabel = "USER",
      description =
          "The device or subscriber, as messages name it. If the job stores pseudonyms"
              + " (privacy.pseudonym-key), the command converts it.")
  String given = "";

  @Option(
      names = "--pseudonym",
      description = "USER is already the name in the collections: the command does not convert it.")
  private boolean isPseudonym;

  /** The stored name in both collections. */
  String storedAs(QuerySession session) {
    return isPseudonym ? given : session.storedAs(given);
  }
}
