package io.lastfix.cli.provision;

import io.lastfix.store.provision.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps done so far, or to be done in a dry run. It grows with each step, and is printed even
 * if not all steps could be done.
 *
 * @param databases one, or two if Last Known Location has its own
 */
record ProvisionReport(List<Database> databases) {
  /** The result for one item. */
  enum Status {
    /** It existed. */
    THERE,
    /** It was missing and was created. */
    MADE,
    /** It is missing, and would be created without the dry run. */
    WOULD_MAKE,
    /** It exists and differs. Its collection was not changed. */
    REFUSED,
    /** The user may not inspect it, or not create it. */
    NOT_ALLOWED
  }

  /**
   * One database of a server.
   *
   * @param server its hosts
   * @param topology the kind of server, in words
   */
  record Database(String server, String database, String topology, List<Finding> findings) {}

  /**
   * One item.
   *
   * @param what for the user: {@code index {user: 1, ts: 1} on lastfix.history_2026_11}
   * @param difference if it is refused
   * @param remedy the remedy or a remark, if there is one
   */
  record Finding(
      Status status, String what, @Nullable Difference difference, @Nullable String remedy) {
    static Finding of(Status status, String what) {
      return new Finding(status, what, null, null);
    }

    static Finding refused(String what, Difference difference) {
      return new Finding(Status.REFUSED, what, difference, difference.remedy());
    }

    /** An existing item with a remark. */
    static Finding there(String what, String remark) {
      return new Finding(Status.THERE, what, null, remark);
    }

    static Finding notAllowed(String what, String remedy) {
      return new Finding(Status.NOT_ALLOWED, what, null, remedy);
    }

    private String toLine() {
      String word = status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      String reason = difference != null ? ": " + difference : remedy != null ? ": " + remedy : "";
      return "  %-11s  %s%s".formatted(word, what, reason);
    }
  }

  /** An empty report. */
  ProvisionReport() {
    this(new ArrayList<>());
  }

  /** A line for each database and each item. */
  List<String> toLines() {
    List<String> lines = new ArrayList<>();
    for (Database database : databases) {
      lines.add(
          "MongoDB at %s, database %s: %s"
              .formatted(database.server(), database.database(), database.topology()));
      database.findings().forEach(finding -> lines.add(finding.toLine()));
    }
    return lines;
  }

  long count(Status status) {
    return databases.stream()
        .flatMap(database -> database.findings().stream())
        .filter(finding -> finding.status() == status)
        .count();
  }

  /**
   * Why the command fails although it tried all steps.
   *
   * @return a sentence; empty if all items exist, were created, or would be
   */
  Optional<String> failure() {
    List<String> reasons = new ArrayList<>();
    if (count(Status.REFUSED) > 0) {
      reasons.add(
          "%d refused: these disagree with the configuration, and were not changed"
              .formatted(count(Status.REFUSED)));
    }
    if (count(Status.NOT_ALLOWED) > 0) {
      reasons.add(
          "%d not allowed: this user may not inspect or create these; --no-roles skips roles"
              .formatted(count(Status.NOT_ALLOWED)));
    }
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }
}
