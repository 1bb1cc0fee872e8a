package io.lastfix.cli.local;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.audit.RecordAccount;
import io.lastfix.stack.flink.JobCounts;
import io.lastfix.workload.PushSummary;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The account of a demo: the records sent, where each ended, and how fast.
 *
 * @param account the records
 * @param recordsPerSecond of the burst, from its first push until all of it was stored
 * @param latencyMedian from Kafka to MongoDB, of the latest records
 * @param latency95 the 95th percentile of the same
 */
record DemoSummary(
    RecordAccount account, double recordsPerSecond, Duration latencyMedian, Duration latency95) {

  String toText() {
    PushSummary pushed = account.pushed();
    JobCounts counts = account.counts();
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
        line(
            "  together",
            account.accounted(),
            account.reconciles() ? "as many as records in" : account.difference()),
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
    PushSummary pushed = account.pushed();
    JobCounts counts = account.counts();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("recordsIn", pushed.records());
    node.put("messages", pushed.messages());
    node.put("stored", counts.inserted());
    node.put("duplicates", counts.duplicates());
    node.put("rejected", counts.rejected());
    ObjectNode reasons = node.putObject("rejectedByReason");
    counts.rejectedByReason().forEach(reasons::put);
    node.put("unlocated", counts.unlocated());
    node.put("historyGrowth", account.historyGrowth());
    node.put("reconciles", account.reconciles());
    node.put("rejectedTopicGrowth", account.rejectedTopicGrowth());
    node.put("recordsPerSecond", Math.round(recordsPerSecond));
    node.put("endToEndLatencyMillisMedian", latencyMedian.toMillis());
    node.put("endToEndLatencyMillisP95", latency95.toMillis());
    return node;
  }
}
