package io.lastfix.cli.forget;

import io.lastfix.cli.output.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was done to forget a user.
 *
 * @param userHash what stands for the user in the list and in the audit collection
 * @param until up to here nothing of the user is stored, now or later
 * @param deleted documents by collection; one without any is left out
 * @param jobs that were waited for
 * @param waitedSeconds for them
 * @param shards that were inspected, and have no document of the user; empty without shards
 * @param notReached where the user may still be found
 */
record ErasureReport(
    String userHash,
    Instant until,
    Map<String, Long> deleted,
    List<String> jobs,
    double waitedSeconds,
    List<String> shards,
    List<String> notReached) {

  List<String> toLines() {
    List<String> lines = new ArrayList<>();
    if (deleted.isEmpty()) {
      lines.add("Nothing was stored of this user up to " + until);
    } else {
      Table table = new Table("COLLECTION", "DELETED");
      deleted.forEach((collection, count) -> table.row(collection, Long.toString(count)));
      lines.add(table.toString().stripTrailing());
    }
    lines.add("Nothing up to %s will be stored again".formatted(until));
    lines.add(
        jobs.isEmpty()
            ? "No job was waited for"
            : String.format(
                Locale.ROOT, "Waited %.1f s for job %s", waitedSeconds, String.join(", ", jobs)));
    if (!shards.isEmpty()) {
      lines.add("No document of the user is left on shard " + String.join(", ", shards));
    }
    lines.add("Not reached, and for you to see to:");
    notReached.forEach(place -> lines.add("  " + place));
    return lines;
  }
}
