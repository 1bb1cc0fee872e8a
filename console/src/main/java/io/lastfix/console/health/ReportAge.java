package io.lastfix.console.health;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How old the newest report of a job's TaskManagers is. The report's own timestamp decides only for
 * the first one; after that its age is the time since the timestamp changed, because the clocks of
 * two machines differ. Thread-safe.
 */
final class ReportAge {
  private @Nullable String jobId;
  private Instant reported = Instant.EPOCH;
  private Duration ageWhenSeen = Duration.ZERO;
  private long seenNanos;

  /**
   * Returns the age.
   *
   * @param asOf the report's timestamp, by the TaskManager's clock
   * @param now by this machine's clock
   * @param nanos of a monotonic clock
   */
  synchronized Duration of(String job, Instant asOf, Instant now, long nanos) {
    if (!job.equals(jobId)) {
      jobId = job;
      Duration age = Duration.between(asOf, now);
      see(asOf, age.isNegative() ? Duration.ZERO : age, nanos);
    } else if (!asOf.equals(reported)) {
      see(asOf, Duration.ZERO, nanos);
    }
    return ageWhenSeen.plusNanos(nanos - seenNanos);
  }

  private void see(Instant asOf, Duration age, long nanos) {
    reported = asOf;
    ageWhenSeen = age;
    seenNanos = nanos;
  }
}
