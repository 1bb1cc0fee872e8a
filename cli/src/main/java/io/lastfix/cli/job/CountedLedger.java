package io.lastfix.cli.job;

import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.Jobs.Job;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.LocationMetrics;
import io.lastfix.stack.kafka.ConsumerLag;
import io.lastfix.stack.poll.Poll;
import io.lastfix.stack.submission.Ledger;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * A ledger from a job's metrics, and from its offsets in Kafka. Of the location job: the records
 * that waited for their cell before + those read since = stored + stored already + erased + waiting
 * + buffered. The metrics of a running job are not of one instant, so a difference may be records
 * under way; a smaller one is waited for.
 */
final class CountedLedger implements Ledger {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration SETTLING_LIMIT = Duration.ofSeconds(15);

  private static final String WAITING = "waiting";
  private static final String OFFSET = "offset of ";

  private final Job job;
  private final FlinkRest flink;
  private final Admin admin;
  private final String group;

  /**
   * @param flink the job's cluster
   * @param admin a client of its Kafka, which the caller closes
   * @param group under which the job commits its offsets
   */
  CountedLedger(Job job, FlinkRest flink, Admin admin, String group) {
    this.job = job;
    this.flink = flink;
    this.admin = admin;
    this.group = group;
  }

  @Override
  public Map<String, Long> ofRunning(String jobId) throws IOException, InterruptedException {
    return job.equals(Jobs.LOCATION)
        ? Map.of(WAITING, LocationMetrics.readAfter(flink, jobId, Instant.now()).waiting())
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
      isBalanced &= compareRecords(before, jobId, lines);
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

  private boolean compareRecords(Map<String, Long> before, String jobId, List<String> lines)
      throws IOException, InterruptedException {
    Long waited = before.get(WAITING);
    long restarts = flink.restarts(jobId);
    if (waited == null || restarts > 0) {
      lines.add(
          restarts > 0
              ? "records: not compared, because the new job was restarted %d times"
                  .formatted(restarts)
              : "records: not compared, because they were not counted before");
      return false;
    }
    Poll poll = new Poll(POLL, SETTLING_LIMIT);
    LocationMetrics metrics = LocationMetrics.readAfter(flink, jobId, Instant.now());
    while (missing(waited, metrics) > 0 && !poll.isOver()) {
      Thread.sleep(POLL.toMillis());
      metrics = LocationMetrics.readAfter(flink, jobId, Instant.now());
    }
    long missing = missing(waited, metrics);
    lines.add(
        String.format(
            Locale.ROOT,
            "records: %,d waited before + %,d read since = %,d stored + %,d stored already + %,d erased + %,d waiting + %,d buffered%s",
            waited,
            metrics.records(),
            metrics.historyInserted(),
            metrics.historyDuplicates(),
            metrics.forgotten(),
            metrics.waiting(),
            metrics.historyBuffered(),
            missing > 0
                ? String.format(
                    Locale.ROOT,
                    " + %,d not seen: under way, or stored right before the stop",
                    missing)
                : ""));
    return missing <= 0;
  }

  private static long missing(long waited, LocationMetrics metrics) {
    return waited
        + metrics.records()
        - metrics.historyInserted()
        - metrics.historyDuplicates()
        - metrics.forgotten()
        - metrics.waiting()
        - metrics.historyBuffered();
  }

  private Map<TopicPartition, Long> committed() throws IOException {
    return new ConsumerLag(admin).committed(group);
  }
}
