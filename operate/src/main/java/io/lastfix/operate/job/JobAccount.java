package io.lastfix.operate.job;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.cluster.submission.UpgradeAccount;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.Jobs.Job;
import io.lastfix.kit.kafka.ConsumerLag;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * The account of a job: its offsets in Kafka and, of the location job, the ledger that it keeps in
 * its checkpoints. Both are exact, and a savepoint carries the ledger to the new job.
 *
 * @param flink the job's cluster
 * @param admin a client of its Kafka, which the caller closes
 * @param group under which the job commits its offsets
 */
public record JobAccount(Job job, FlinkRest flink, Admin admin, String group)
    implements UpgradeAccount {
  /** Flink collects metrics every 10 s. */
  private static final Duration METRICS_LIMIT = Duration.ofSeconds(30);

  private static final String OFFSET = "offset of ";

  @Override
  public Map<String, Long> ofRunning(String jobId) throws IOException, InterruptedException {
    return job.equals(Jobs.LOCATION)
        ? Ledger.readNewest(flink, jobId, METRICS_LIMIT)
            .map(LedgerComparison::numbers)
            .orElse(Map.of())
        : Map.of();
  }

  @Override
  public Map<String, Long> ofStopped() throws IOException {
    Map<String, Long> offsets = new HashMap<>();
    committed().forEach((partition, offset) -> offsets.put(OFFSET + partition, offset));
    return offsets;
  }

  @Override
  public boolean hasProgress(Map<String, Long> before) throws IOException {
    Map<TopicPartition, Long> committed = committed();
    Set<String> topics = new HashSet<>();
    committed.keySet().forEach(partition -> topics.add(partition.topic()));
    Map<TopicPartition, ConsumerLag.Range> ranges = new ConsumerLag(admin).ranges(topics);
    boolean isUnread = false;
    for (Map.Entry<TopicPartition, Long> each : committed.entrySet()) {
      Long offset = before.get(OFFSET + each.getKey());
      if (offset == null || each.getValue() > offset) {
        return true;
      }
      ConsumerLag.Range range = ranges.get(each.getKey());
      isUnread |= range != null && range.end() > offset;
    }
    return !isUnread;
  }

  @Override
  public Comparison compare(Map<String, Long> before, String jobId)
      throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    boolean isBalanced = compareOffsets(before, lines);
    if (job.equals(Jobs.LOCATION)) {
      isBalanced &= compareLedgers(before, jobId, lines);
    }
    return new Comparison(isBalanced, lines);
  }

  private boolean compareOffsets(Map<String, Long> before, List<String> lines) throws IOException {
    Map<TopicPartition, Long> committed = committed();
    long read = 0;
    long back = 0;
    for (Map.Entry<TopicPartition, Long> each : committed.entrySet()) {
      long since = each.getValue() - before.getOrDefault(OFFSET + each.getKey(), 0L);
      read += Math.max(0, since);
      back += Math.max(0, -since);
    }
    lines.add(
        String.format(Locale.ROOT, "offsets: %,d messages committed since the savepoint", read));
    if (back > 0) {
      lines.add(
          String.format(
              Locale.ROOT, "offsets: %,d messages before the savepoint are read again", back));
    }
    return back == 0;
  }

  private boolean compareLedgers(Map<String, Long> before, String jobId, List<String> lines)
      throws IOException, InterruptedException {
    LedgerComparison comparison = new LedgerComparison(before);
    Optional<Ledger> after = comparison.isPossible() ? ledgerOfNewJob(jobId) : Optional.empty();
    lines.addAll(comparison.lines(after));
    return comparison.isBalanced(after);
  }

  /**
   * The ledger at a checkpoint that the new job has completed itself. Such a checkpoint is later
   * than the savepoint, whose ledger it reports until then.
   */
  private Optional<Ledger> ledgerOfNewJob(String jobId) throws IOException, InterruptedException {
    long completed = flink.latestCompletedCheckpoint(jobId);
    return Ledger.readNewest(flink, jobId, METRICS_LIMIT)
        .filter(read -> read.checkpoint() >= completed);
  }

  private Map<TopicPartition, Long> committed() throws IOException {
    return new ConsumerLag(admin).committed(group);
  }
}
