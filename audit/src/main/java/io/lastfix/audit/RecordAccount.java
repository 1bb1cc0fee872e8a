package io.lastfix.audit;

import io.lastfix.cluster.flink.JobCounts;
import io.lastfix.workload.PushSummary;
import java.util.ArrayList;
import java.util.List;

/**
 * The account of pushed records, by counts that do not depend on each other: those of the sender,
 * of the job, of MongoDB and of Kafka. Unlike an {@link Audit} it compares numbers, not records.
 *
 * @param pushed the sent messages
 * @param counts the job's counters for them
 * @param historyGrowth new documents in History, counted in MongoDB and not by the job
 * @param rejectedTopicGrowth new messages in the rejected topic, counted in Kafka
 */
public record RecordAccount(
    PushSummary pushed, JobCounts counts, long historyGrowth, long rejectedTopicGrowth) {

  /**
   * Returns whether records in = History + duplicates + rejected, by the counts of the job, MongoDB
   * and Kafka.
   */
  public boolean reconciles() {
    return difference().isEmpty();
  }

  /** The differences; empty if all counts agree. */
  public String difference() {
    List<String> differences = new ArrayList<>();
    compare(
        differences,
        "records pushed",
        pushed.records(),
        "stored, duplicate and rejected",
        accounted());
    compare(
        differences,
        "rejected by the job",
        counts.rejected(),
        "pushed to be rejected",
        pushed.rejected());
    compare(
        differences,
        "documents added by the job",
        counts.inserted(),
        "new documents in History",
        historyGrowth);
    compare(
        differences,
        "rejected by the job",
        counts.rejected(),
        "new messages in the rejected topic",
        rejectedTopicGrowth);
    return String.join("; ", differences);
  }

  private static void compare(
      List<String> differences, String what, long count, String otherWhat, long otherCount) {
    if (count != otherCount) {
      differences.add("%,d %s, but %,d %s".formatted(count, what, otherCount, otherWhat));
    }
  }

  /** Records that the job has stored, found stored already, or rejected. */
  public long accounted() {
    return counts.inserted() + counts.duplicates() + counts.rejected();
  }
}
