package io.lastfix.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.push.PushSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The account of a demo: what went in, and where each record ended.
 *
 * @param pushed what was sent
 * @param counts what the job counted of it
 * @param historyGrowth documents that History has more than before, counted in MongoDB and not by
 *     the job
 * @param took from the first push until all was stored
 * @param latencyMedian from Kafka to MongoDB
 * @param latency95 95 % of the records took no longer
 */
record DemoSummary(
    PushSummary pushed,
    JobCounts counts,
    long historyGrowth,
    Duration took,
    Duration latencyMedian,
    Duration latency95) {

  /** Whether records in = History + duplicates + rejected, by three independent counts. */
  boolean reconciles() {
    return difference().isEmpty();
  }

  /** What does not add up; empty where all does. */
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
        "documents more in History",
        historyGrowth);
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

  private double recordsPerSecond() {
    return pushed.records() * 1000.0 / Math.max(1, took.toMillis());
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
        line("  together", accounted(), reconciles() ? "as many as came in" : difference()),
        line("Without coordinates", counts.unlocated(), "their cell is not in the catalogue"),
        String.format(
            Locale.ROOT,
            "%-22s %12s  from the first push until all was stored, %.1f s",
            "Records/s",
            String.format(Locale.ROOT, "%,.0f", recordsPerSecond()),
            took.toMillis() / 1000.0),
        String.format(
            Locale.ROOT,
            "%-22s %12s  median; 95 %% within %,d ms (Kafka to MongoDB, the latest records)",
            "End-to-end latency",
            String.format(Locale.ROOT, "%,d ms", latencyMedian.toMillis()),
            latency95.toMillis()));
  }

  private static String line(String what, long count, String remark) {
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
    node.put("seconds", took.toMillis() / 1000.0);
    node.put("recordsPerSecond", Math.round(recordsPerSecond()));
    node.put("endToEndLatencyMillisMedian", latencyMedian.toMillis());
    node.put("endToEndLatencyMillisP95", latency95.toMillis());
    return node;
  }
}
