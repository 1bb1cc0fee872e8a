package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.kafka.topics.CatalogGroup;
import java.util.HashMap;
import java.util.Map;

/**
 * How far the catalogue of one submission has been read, and how far it is in the join's state. The
 * catalogue's enumerator writes it, and that of the location records reads it.
 *
 * <p>Flink has no channel between two sources. Both enumerators of a job run in its JobMaster,
 * under one class loader, so a static map can be that channel. Its key is the submission's group
 * id; an entry lives as long as one of the two enumerators.
 */
final class CatalogProgress implements AutoCloseable {
  private static final Map<String, CatalogProgress> OF_SUBMISSIONS = new HashMap<>();
  private static final Reported NOTHING = new Reported(0, -1, -1);

  private final String submission;
  private final Map<Integer, Reported> partitions = new HashMap<>();
  private int users;

  /** The position in one partition, and the reader that reported it. */
  private record Reported(int subtask, long read, long inState) {}

  private CatalogProgress(String submission) {
    this.submission = submission;
  }

  /** The progress of a submission; each user closes it once. */
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
   * Records a reader's report. The last report counts, even if it is lower: the reader has begun
   * again in a topic that was deleted and created again.
   */
  synchronized void report(int subtask, CatalogPositions positions) {
    positions
        .offsets()
        .forEach(
            (partition, offset) -> {
              Reported before = partitions.getOrDefault(partition, NOTHING);
              partitions.put(
                  partition,
                  new Reported(subtask, offset, positions.isInState() ? offset : before.inState()));
            });
  }

  /** Removes the reports of a reader that restarts; it will report what was restored. */
  synchronized void forget(int subtask) {
    partitions.values().removeIf(reported -> reported.subtask() == subtask);
  }

  /** Removes all reports, because all readers restart. */
  synchronized void clear() {
    partitions.clear();
  }

  /** The offset before which all entries have been read; -1 if unknown. */
  synchronized long read(int partition) {
    return partitions.getOrDefault(partition, NOTHING).read();
  }

  /** {@link #inState(int)} of all partitions with a known one. */
  synchronized Map<Integer, Long> inState() {
    Map<Integer, Long> offsets = new HashMap<>();
    partitions.forEach((partition, reported) -> offsets.put(partition, reported.inState()));
    return offsets;
  }

  /** The offset before which all entries are in the join's state; -1 if unknown. */
  synchronized long inState(int partition) {
    return partitions.getOrDefault(partition, NOTHING).inState();
  }
}
