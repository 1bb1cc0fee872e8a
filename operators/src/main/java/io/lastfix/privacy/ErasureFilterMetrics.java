package io.lastfix.privacy;

import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * What a {@link ErasureFilterSink} measures, in the group of its writer, for one subtask since its
 * start:
 *
 * <ul>
 *   <li>{@code recordsForgotten}: records that were not stored, since their user was forgotten.
 *       Flink's {@code numRecordsIn} = this + the records that the writer took.
 *   <li>{@value #VERSION}: the version of the list that is followed; {@value #NOT_READ} until it
 *       was read for the first time, and while the list there is older than the one that was read.
 *       All records taken after this showed n are without the users that version n and those before
 *       it name.
 *   <li>{@code forgottenReadFailures}: how often the list could not be read, or was older than the
 *       one that was read before. Alert if it goes on growing: nobody can be forgotten meanwhile,
 *       and the log says what to do.
 * </ul>
 */
public final class ErasureFilterMetrics {
  /** The gauge by which a command sees which list a subtask follows. */
  public static final String VERSION = "forgottenVersion";

  static final long NOT_READ = -1;

  private final Counter recordsForgotten;

  ErasureFilterMetrics(MetricGroup group, LongSupplier version, LongSupplier failures) {
    recordsForgotten = group.counter("recordsForgotten");
    group.gauge(VERSION, (Gauge<Long>) version::getAsLong);
    group.gauge("forgottenReadFailures", (Gauge<Long>) failures::getAsLong);
  }

  void recordForgotten() {
    recordsForgotten.inc();
  }
}
