package io.lastfix.bench.load;

import java.util.Map;

/**
 * What a load generator has seen.
 *
 * @param answers with a status of success, in the measured time
 * @param seconds of the measured time
 * @param statuses answers by status, of the whole load; 0: a connection that ended without one
 * @param unanswered requests without an answer at the end
 * @param p50Millis median of the latencies, from the instant at which the request was due
 * @param p99Millis 99th percentile
 * @param maxMillis the longest
 * @param cpuSeconds of the load generator in the measured time
 */
public record LoadResult(
    long answers,
    double seconds,
    Map<Integer, Long> statuses,
    long unanswered,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    double cpuSeconds) {
  /** Answers a second. */
  public double perSecond() {
    return answers / seconds;
  }

  /** Requests that were not answered with a status of success. */
  public long failures() {
    return unanswered
        + statuses.entrySet().stream()
            .filter(status -> status.getKey() / 100 != 2)
            .mapToLong(Map.Entry::getValue)
            .sum();
  }
}
