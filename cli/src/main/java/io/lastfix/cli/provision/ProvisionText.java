package io.lastfix.cli.provision;

import io.lastfix.store.provision.Difference;
import io.lastfix.store.provision.ProvisionReport;
import io.lastfix.store.provision.ProvisionReport.Database;
import io.lastfix.store.provision.ProvisionReport.Finding;
import io.lastfix.store.provision.ProvisionReport.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The words of a {@link ProvisionReport}. */
final class ProvisionText {
  private ProvisionText() {}

  /** A line for each database and each item. */
  static List<String> lines(ProvisionReport report) {
    List<String> lines = new ArrayList<>();
    for (Database database : report.databases()) {
      lines.add(
          "MongoDB at %s, database %s: %s"
              .formatted(database.server(), database.database(), database.topology()));
      database.findings().forEach(finding -> lines.add(line(finding)));
    }
    return lines;
  }

  private static String line(Finding finding) {
    String word = finding.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    Difference difference = finding.difference();
    String remedy = finding.remedy();
    String reason = difference != null ? ": " + difference : remedy != null ? ": " + remedy : "";
    return "  %-11s  %s%s".formatted(word, finding.what(), reason);
  }

  /**
   * Why the command fails although it tried all steps.
   *
   * @return a sentence; empty if all items exist, were created, or would be
   */
  static Optional<String> failure(ProvisionReport report) {
    List<String> reasons = new ArrayList<>();
    long refused = report.count(Status.REFUSED);
    if (refused > 0) {
      reasons.add(
          "%d refused: these disagree with the configuration, and were not changed"
              .formatted(refused));
    }
    long notAllowed = report.count(Status.NOT_ALLOWED);
    if (notAllowed > 0) {
      reasons.add(
          "%d not allowed: this user may not inspect or create these; --no-roles skips roles"
              .formatted(notAllowed));
    }
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }
}
