package io.lastfix.cli.forget;

import io.lastfix.cli.output.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of erasing a user.
 *
 * @param userHash the user's hash in the erasure list and the audit collection
 * @param until no record of the user up to this instant is stored, now or later
 * @param deleted documents by collection; collections without any are left out
 * @param jobs that the command waited for
 * @param waitedSeconds the duration of that wait
 * @param shards inspected shards, which have no document of the user; empty without shards
 * @param notReached places that may still hold the user
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
      lines.add("No record of this user was stored up to " + until);
    } else {
      Table table = new Table("COLLECTION", "DELETED");
      deleted.forEach((collection, count) -> table.row(collection, Long.toString(count)));
      lines.add(table.toString().stripTrailing());
    }
    lines.add("No record of this user up to %s will be stored again".formatted(until));
    lines.add(
        jobs.isEmpty()
            ? "Waited for no job"
            : String.format(
                Locale.ROOT, "Waited %.1f s for job %s", waitedSeconds, String.join(", ", jobs)));
    if (!shards.isEmpty()) {
      lines.add("No document of the user is left on shard " + String.join(", ", shards));
    }
    lines.add("Not erased; you must handle these yourself:");
    notReached.forEach(place -> lines.add("  " + place));
    return lines;
  }
}
