package io.lastfix.store.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a provisioning that are done so far, or to be done in a dry run. It grows with each
 * step, so it is of use even if not all steps could be done.
 *
 * @param databases one, or two if Last Known Location has its own
 */
public record ProvisionReport(List<Database> databases) {
  /** The result for one item. */
  public enum Status {
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
  public record Database(String server, String database, String topology, List<Finding> findings) {}

  /**
   * One item.
   *
   * @param what for the user: {@code index {user: 1, ts: 1} on lastfix.history_2026_11}
   * @param difference if it is refused
   * @param remedy the remedy or a remark, if there is one
   */
  public record Finding(
      Status status, String what, @Nullable Difference difference, @Nullable String remedy) {
    public static Finding of(Status status, String what) {
      return new Finding(status, what, null, null);
    }

    public static Finding refused(String what, Difference difference) {
      return new Finding(Status.REFUSED, what, difference, difference.remedy());
    }

    /** An existing item with a remark. */
    public static Finding there(String what, String remark) {
      return new Finding(Status.THERE, what, null, remark);
    }

    public static Finding notAllowed(String what, String remedy) {
      return new Finding(Status.NOT_ALLOWED, what, null, remedy);
    }

    private String line() {
      String word = status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      Object reason = difference == null ? remedy : difference;
      return "  %-11s  %s%s".formatted(word, what, reason == null ? "" : ": " + reason);
    }
  }

  /** An empty report. */
  public ProvisionReport() {
    this(new ArrayList<>());
  }

  /** Returns a line for each database and each item. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Database database : databases) {
      lines.add(
          "MongoDB at %s, database %s: %s"
              .formatted(database.server(), database.database(), database.topology()));
      database.findings().forEach(finding -> lines.add(finding.line()));
    }
    return lines;
  }

  /**
   * Returns why a provisioning failed although all steps were tried; empty if all items exist, were
   * created, or would be.
   */
  public Optional<String> failure() {
    List<String> reasons = new ArrayList<>();
    long refused = count(Status.REFUSED);
    if (refused > 0) {
      reasons.add(
          "%d refused: these disagree with the configuration, and were not changed"
              .formatted(refused));
    }
    long notAllowed = count(Status.NOT_ALLOWED);
    if (notAllowed > 0) {
      reasons.add(
          "%d not allowed: this user may not inspect or create these; --no-roles skips roles"
              .formatted(notAllowed));
    }
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }

  private long count(Status status) {
    return databases.stream()
        .flatMap(database -> database.findings().stream())
        .filter(finding -> finding.status() == status)
        .count();
  }
}
