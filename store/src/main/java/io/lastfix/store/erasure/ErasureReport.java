package io.lastfix.store.erasure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of erasing a user.
 *
 * @param user as messages name the user, or as the collections do if only that was given
 * @param userHash the user's hash in the erasure list and the audit collection
 * @param until no record of the user up to this instant is stored, now or later
 * @param found documents up to that instant before the deletion
 * @param deleted documents by collection; collections without any are left out
 * @param jobs that the erasure waited for
 * @param waitedSeconds the duration of that wait
 * @param shards inspected shards, which have no document of the user; empty without shards
 * @param failed steps that failed after the deletion, with the reason; the erasure is not finished
 *     until they succeed, and running it again is safe
 * @param notReached places that may still hold the user
 */
public record ErasureReport(
    String user,
    String userHash,
    Instant until,
    long found,
    Map<String, Long> deleted,
    List<String> jobs,
    double waitedSeconds,
    List<String> shards,
    List<String> failed,
    List<String> notReached) {
  private static final String HEADING = "COLLECTION";

  /** The number of deleted documents: also of those that arrived after they were counted. */
  public long erased() {
    return deleted.values().stream().mapToLong(Long::longValue).sum();
  }

  /** For the user; what was deleted is a table. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (erased() == 0) {
      lines.add(
          "Erased nothing: no record of user '%s' was stored up to %s".formatted(user, until));
    } else {
      lines.add(
          "Erased user '%s': %d of %d documents"
              .formatted(user, erased(), Math.max(found, erased())));
      int width =
          deleted.keySet().stream().mapToInt(String::length).reduce(HEADING.length(), Math::max);
      lines.add(HEADING + " ".repeat(width - HEADING.length()) + "  DELETED");
      deleted.forEach(
          (collection, documents) ->
              lines.add(collection + " ".repeat(width - collection.length()) + "  " + documents));
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
    if (!failed.isEmpty()) {
      lines.add("The erasure is not finished. Run this command again, since it failed to remove:");
      failed.forEach(step -> lines.add("  " + step));
    }
    lines.add("Not erased; you must handle these yourself:");
    notReached.forEach(place -> lines.add("  " + place));
    return lines;
  }
}
