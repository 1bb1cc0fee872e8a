package io.lastfix.store.erasure;

import java.time.Instant;
import java.util.List;
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
  /** The number of deleted documents: also of those that arrived after they were counted. */
  public long erased() {
    return deleted.values().stream().mapToLong(Long::longValue).sum();
  }
}
