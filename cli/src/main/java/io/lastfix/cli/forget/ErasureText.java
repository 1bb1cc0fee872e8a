package io.lastfix.cli.forget;

import io.lastfix.cli.output.Table;
import io.lastfix.store.erasure.ErasureReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints the result of erasing a user. */
final class ErasureText {
  private ErasureText() {}

  static List<String> lines(ErasureReport report) {
    List<String> lines = new ArrayList<>();
    if (report.erased() == 0) {
      lines.add(
          "Erased nothing: no record of user '%s' was stored up to %s"
              .formatted(report.user(), report.until()));
    } else {
      lines.add(
          "Erased user '%s': %d of %d documents"
              .formatted(
                  report.user(), report.erased(), Math.max(report.found(), report.erased())));
      Table table = new Table("COLLECTION", "DELETED");
      report.deleted().forEach(table::row);
      lines.add(table.toString().stripTrailing());
    }
    lines.add("No record of this user up to %s will be stored again".formatted(report.until()));
    lines.add(
        report.jobs().isEmpty()
            ? "Waited for no job"
            : String.format(
                Locale.ROOT,
                "Waited %.1f s for job %s",
                report.waitedSeconds(),
                String.join(", ", report.jobs())));
    if (!report.shards().isEmpty()) {
      lines.add("No document of the user is left on shard " + String.join(", ", report.shards()));
    }
    if (!report.failed().isEmpty()) {
      lines.add("The erasure is not finished. Run this command again, since it failed to remove:");
      report.failed().forEach(step -> lines.add("  " + step));
    }
    lines.add("Not erased; you must handle these yourself:");
    report.notReached().forEach(place -> lines.add("  " + place));
    return lines;
  }
}
