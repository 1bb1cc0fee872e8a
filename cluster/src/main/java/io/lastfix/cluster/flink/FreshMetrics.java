package io.lastfix.cluster.flink;

import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes a cluster collect metrics before they are read. It collects only if a client queries it, at
 * most once in {@code metrics.fetcher.update-interval} (10 s). The answer holds what it had
 * collected before: after a pause of an hour, the first answer is an hour old.
 */
public final class FreshMetrics {
  /** Enough for a cluster with the default interval. */
  public static final Duration LIMIT = Duration.ofSeconds(15);

  /** Changes with each collection, because to answer takes a TaskManager time of its processor. */
  private static final String CHANGING = "Status.JVM.CPU.Time";

  private static final Duration POLL = Duration.ofMillis(100);

  private FreshMetrics() {}

  /**
   * Waits until the cluster has collected metrics of each TaskManager. If another client has made
   * it collect just before, that takes as long as the interval.
   *
   * @param limit after it, the metrics are those of before; if the cluster is not slow, they are
   *     not older than its interval
   * @return whether it has collected within the limit
   */
  public static boolean await(FlinkRest flink, Duration limit) throws IOException {
    Map<String, OptionalLong> waitedFor = new TreeMap<>();
    for (String taskManager : flink.lastHeartbeatMillisByTaskManager().keySet()) {
      waitedFor.put(taskManager, flink.taskManagerMetric(taskManager, CHANGING));
    }
    try {
      return read(() -> withoutCollected(flink, waitedFor), Map::isEmpty, limit).isEmpty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while Flink collected metrics", e);
    }
  }

  private static Map<String, OptionalLong> withoutCollected(
      FlinkRest flink, Map<String, OptionalLong> waitedFor) throws IOException {
    for (Map.Entry<String, OptionalLong> before : Map.copyOf(waitedFor).entrySet()) {
      OptionalLong now = flink.taskManagerMetric(before.getKey(), CHANGING);
      if (now.isPresent() && !now.equals(before.getValue())) {
        waitedFor.remove(before.getKey());
      }
    }
    return waitedFor;
  }

  /**
   * Reads metrics until they are new, because each reading makes the cluster collect them.
   *
   * @param limit after it, the metrics of before are returned
   */
  static <T> T read(Poll.Reading<T, IOException> reading, Predicate<T> isNew, Duration limit)
      throws IOException, InterruptedException {
    return Poll.until(POLL, limit, reading, isNew);
  }
}
