package io.lastfix.jobs.kafka;

import java.util.HashMap;
import java.util.Map;

/**
 * How far the catalogue of one submission has been read, and how far it is in the join's state. The
 * catalogue's enumerator writes it, and that of the location records reads it.
 *
 * <p>Flink has no channel between two sources. But both enumerators of a job live in its JobMaster,
 * under one class loader, so a static map is such a channel. Its key is the submission's own group
 * id; an entry lives as long as one of the two enumerators.
 */
final class CatalogProgress implements AutoCloseable {
  private static final Map<String, CatalogProgress> OF_SUBMISSIONS = new HashMap<>();
  private static final long NOWHERE = -1;

  private final String submission;
  private final Map<Integer, Reported> partitions = new HashMap<>();
  private int users;

  /** Of one partition, and which reader said it. */
  private record Reported(int subtask, long read, long inState) {}

  private CatalogProgress(String submission) {
    this.submission = submission;
  }

  /** That of a submission; each user closes it once. */
  static CatalogProgress of(CatalogGroup submission) {
    synchronized (OF_SUBMISSIONS) {
      CatalogProgress progress =
          OF_SUBMISSIONS.computeIfAbsent(submission.id(), CatalogProgress::new);
      progress.users++;
      return progress;
    }
  }

  @Override
  public void close() {
    synchronized (OF_SUBMISSIONS) {
      users--;
      if (users == 0) {
        OF_SUBMISSIONS.remove(submission);
      }
    }
  }

  /**
   * Notes what a reader says. Its last word counts, also where it is less than before: it has begun
   * again at the beginning of a topic that was made anew.
   */
  synchronized void report(int subtask, CatalogPositions positions) {
    positions
        .offsets()
        .forEach(
            (partition, offset) -> {
              Reported before = partitions.getOrDefault(partition, new Reported(0, -1, -1));
              partitions.put(
                  partition,
                  new Reported(subtask, offset, positions.isInState() ? offset : before.inState()));
            });
  }

  /** A reader starts again: it will say anew what was restored. */
  synchronized void forget(int subtask) {
    partitions.values().removeIf(reported -> reported.subtask() == subtask);
  }

  /** All readers start again. */
  synchronized void clear() {
    partitions.clear();
  }

  /** The offset before which all entries have been read; -1 if none is known. */
  synchronized long read(int partition) {
    Reported reported = partitions.get(partition);
    return reported == null ? NOWHERE : reported.read();
  }

  /** The same as {@link #inState(int)} of all partitions of which something is known. */
  synchronized Map<Integer, Long> inState() {
    Map<Integer, Long> offsets = new HashMap<>();
    partitions.forEach((partition, reported) -> offsets.put(partition, reported.inState()));
    return offsets;
  }

  /** The offset before which all entries are in the join's state; -1 if none is known. */
  synchronized long inState(int partition) {
    Reported reported = partitions.get(partition);
    return reported == null ? NOWHERE : reported.inState();
  }
}
