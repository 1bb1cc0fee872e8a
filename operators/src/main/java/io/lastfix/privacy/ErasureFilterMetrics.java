package io.lastfix.privacy;

import io.lastfix.model.metrics.JobMetrics;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of an {@link ErasureFilterSink}, in the group of its writer, counted since the
 * subtask's start:
 *
 * <ul>
 *   <li>{@code recordsForgotten}: records not stored because their user is erased. Flink's {@code
 *       numRecordsIn} = this + the records that the writer received.
 *   <li>{@value #VERSION}: the version of the list in use; {@value #NOT_READ} before the first
 *       read, and while the list on the server is older than the one in use. Records accepted after
 *       this shows n exclude the users of version n and of earlier versions.
 *   <li>{@code forgottenReadFailures}: how often the list was unreadable or older than the one read
 *       before. Alert if it keeps growing: no user can be erased meanwhile, and the log says what
 *       to do.
 * </ul>
 */
public final class ErasureFilterMetrics {
  /** The gauge from which a command reads the version that a subtask uses. */
  public static final String VERSION = "forgottenVersion";

  static final long NOT_READ = -1;

  private final Counter recordsErased;

  ErasureFilterMetrics(MetricGroup group, LongSupplier version, LongSupplier failures) {
    recordsErased = group.counter(JobMetrics.RECORDS_FORGOTTEN);
    group.gauge(VERSION, (Gauge<Long>) version::getAsLong);
    group.gauge("forgottenReadFailures", (Gauge<Long>) failures::getAsLong);
  }

  long recordsErased() {
    return recordsErased.getCount();
  }

  void recordErased() {
    recordsErased.inc();
  }
}
