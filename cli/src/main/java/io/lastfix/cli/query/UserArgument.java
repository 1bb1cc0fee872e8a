package io.lastfix.cli.query;

import io.lastfix.cli.common.QuerySession;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The user that a command asks about; a mixin. */
final class UserArgument {
  @Parameters(
      paramLabel = "USER",
      description =
          "The device or subscriber, as messages name it; where the job stores pseudonyms"
              + " (privacy.pseudonym-key), it is converted.")
  private String user = "";

  @Option(
      names = "--pseudonym",
      description = "USER is the name in the collections already: it is not converted.")
  private boolean isPseudonym;

  /** As given. */
  String given() {
    return user;
  }

  /** As given, for another command of the same user. */
  String asArguments() {
    return isPseudonym ? user + " --pseudonym" : user;
  }

  /** The name in both collections. */
  String storedAs(QuerySession session) {
    return isPseudonym ? user : session.storedAs(user);
  }
}
