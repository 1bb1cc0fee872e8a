package io.lastfix.operate.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.audit.RecordAccount;
import io.lastfix.cluster.flink.JobCounts;
import io.lastfix.workload.PushSummary;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The account of a demo: the records sent, where each ended, and how fast.
 *
 * @param account the records
 * @param recordsPerSecond of the burst, from its first push until all of it was stored
 * @param latencyMedian from Kafka to MongoDB, of the latest records
 * @param latency95 the 95th percentile of the same
 */
public record DemoSummary(
    RecordAccount account, double recordsPerSecond, Duration latencyMedian, Duration latency95) {

  /** Two lines for the user. */
  List<String> lines() {
    JobCounts counts = account.counts();
    return List.of(
        DemoResult.line(
            "Records",
            String.format(
                Locale.ROOT,
                "%,d sent: %,d stored, %,d were there already, %,d broken ones rejected; %s",
                account.pushed().records(),
                counts.inserted(),
                counts.duplicates(),
                counts.rejected(),
                account.reconciles() ? "none lost" : account.difference())),
        DemoResult.line(
            "Speed",
            String.format(
                Locale.ROOT,
                "%,.0f records/s from the first push until all were stored; at a live rate %,d ms from Kafka to MongoDB (95 %% within %,d ms)",
                recordsPerSecond,
                latencyMedian.toMillis(),
                latency95.toMillis())));
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
