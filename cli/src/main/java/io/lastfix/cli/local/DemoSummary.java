package io.lastfix.cli.local;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.stack.flink.JobCounts;
import io.lastfix.workload.PushSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The account of a demo: the records sent, and where each ended.
 *
 * @param pushed the sent messages
 * @param counts the job's counters for them
 * @param historyGrowth new documents in History, counted in MongoDB and not by the job
 * @param rejectedTopicGrowth new messages in the rejected topic, counted in Kafka
 * @param recordsPerSecond of the burst, from its first push until all of it was stored
 * @param latencyMedian from Kafka to MongoDB, of the latest records
 * @param latency95 the 95th percentile of the same
 */
record DemoSummary(
    PushSummary pushed,
    JobCounts counts,
    long historyGrowth,
    long rejectedTopicGrowth,
    double recordsPerSecond,
    Duration latencyMedian,
    Duration latency95) {

  /**
   * Returns whether records in = History + duplicates + rejected, by the counts of the job, MongoDB
   * and Kafka.
   */
  boolean reconciles() {
    return difference().isEmpty();
  }

  /** The differences; empty if all counts agree. */
  String difference() {
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
      differences.add(
          String.format(Locale.ROOT, "%,d %s, but %,d %s", count, what, otherCount, otherWhat));
    }
  }

  private long accounted() {
    return counts.inserted() + counts.duplicates() + counts.rejected();
  }

  String toText() {
    String reasons =
        counts.rejectedByReason().entrySet().stream()
            .map(reason -> reason.getKey() + " " + reason.getValue())
            .collect(Collectors.joining(", "));
    return String.join(
        System.lineSeparator(),
        line(
            "Records in",
            pushed.records(),
            String.format(Locale.ROOT, "in %,d messages", pushed.messages())),
        line("  stored in History", counts.inserted(), ""),
        line("  duplicates", counts.duplicates(), ""),
        line("  rejected", counts.rejected(), reasons),
        line("  together", accounted(), reconciles() ? "as many as records in" : difference()),
        line(
            "Without coordinates",
            counts.unlocated(),
            "duplicates included: their cell is not in the catalogue, or is ambiguous"),
        String.format(
            Locale.ROOT,
            "%-22s %12s  of the burst, from its first push until all its records were stored",
            "Records/s",
            String.format(Locale.ROOT, "%,.0f", recordsPerSecond)),
        String.format(
            Locale.ROOT,
            "%-22s %12s  median, 95 %% within %,d ms: from Kafka to MongoDB, of the latest records (slowest subtask)",
            "End-to-end latency",
            String.format(Locale.ROOT, "%,d ms", latencyMedian.toMillis()),
            latency95.toMillis()));
  }

  static String line(String what, long count, String remark) {
    return String.format(Locale.ROOT, "%-22s %,12d  %s", what, count, remark).stripTrailing();
  }

  ObjectNode toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("recordsIn", pushed.records());
    node.put("messages", pushed.messages());
    node.put("stored", counts.inserted());
    node.put("duplicates", counts.duplicates());
    node.put("rejected", counts.rejected());
    ObjectNode reasons = node.putObject("rejectedByReason");
    counts.rejectedByReason().forEach(reasons::put);
    node.put("unlocated", counts.unlocated());
    node.put("historyGrowth", historyGrowth);
    node.put("reconciles", reconciles());
    node.put("rejectedTopicGrowth", rejectedTopicGrowth);
    node.put("recordsPerSecond", Math.round(recordsPerSecond));
    node.put("endToEndLatencyMillisMedian", latencyMedian.toMillis());
    node.put("endToEndLatencyMillisP95", latency95.toMillis());
    return node;
  }
}
