package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.LastKnownLocationSink.LastKnownLocationBatching;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;

/**
 * A writer whose bulks run in the test's thread when they are sent. Their answers wait in the
 * mailbox until the test runs it, so the test decides how long a bulk is in flight.
 */
final class WriterHarness {
  static final long APPENDED_MILLIS = 500;
  static final long START_MILLIS = 1_000;

  /** This clock is never adjusted. */
  final TestProcessingTimeService clock = new TestProcessingTimeService();

  private final SteppingClock wallClock = new SteppingClock(clock);
  final TestMailbox mailbox = new TestMailbox(clock);
  final RememberingMetricGroup metrics = new RememberingMetricGroup();
  final BulkSinkWriter<LocatedRecord> writer;

  private long appendedMillis = APPENDED_MILLIS;

  private final SinkWriter.Context context =
      new SinkWriter.Context() {
        @Override
        public long currentWatermark() {
          return Long.MIN_VALUE;
        }

        @Override
        public Long timestamp() {
          return appendedMillis;
        }
      };

  WriterHarness(
      RecordBatching<LocatedRecord> batching,
      BulkServer<LocatedRecord> server,
      BulkOptions options) {
    moveClockTo(START_MILLIS);
    this.writer =
        new BulkSinkWriter<>(
            batching,
            server,
            options,
            mailbox,
            wallClock,
            () -> TimeUnit.MILLISECONDS.toNanos(clock.getCurrentProcessingTime()),
            new DirectExecutor(),
            new DirectExecutor(),
            new BulkSinkMetrics(metrics));
  }

  static WriterHarness history(BulkServer<LocatedRecord> server, BulkOptions options) {
    return new WriterHarness(new HistoryBatching(TestHistory.MONTHS), server, options);
  }

  static WriterHarness lastKnownLocation(BulkServer<LocatedRecord> server, BulkOptions options) {
    return new WriterHarness(
        new LastKnownLocationBatching(
            new LastKnownLocationOptions("last_known_location", false, false, false)),
        server,
        options);
  }

  void write(LocatedRecord... records) throws InterruptedException {
    write(List.of(records));
  }

  void write(List<LocatedRecord> records) throws InterruptedException {
    for (LocatedRecord record : records) {
      writer.write(record, context);
    }
  }

  /** Writes a record with that Kafka append time. */
  void writeAppendedAt(long millis, LocatedRecord record) throws InterruptedException {
    appendedMillis = millis;
    writer.write(record, context);
    appendedMillis = APPENDED_MILLIS;
  }

  void writeUnchecked(LocatedRecord record) {
    try {
      write(record);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void flush() throws InterruptedException {
    writer.flush(false);
  }

  void moveClockTo(long millis) {
    try {
      clock.setCurrentTime(millis);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adjusts the machine's clock forwards or backwards; no time passes. */
  void stepClock(Duration step) {
    wallClock.stepMillis += step.toMillis();
  }

  /**
   * A clock that the test adjusts. Like Flink's, it converts a timer's instant to a delay at once.
   */
  private static final class SteppingClock implements ProcessingTimeService {
    private final TestProcessingTimeService steady;
    private long stepMillis;

    SteppingClock(TestProcessingTimeService steady) {
      this.steady = steady;
    }

    @Override
    public long getCurrentProcessingTime() {
      return steady.getCurrentProcessingTime() + stepMillis;
    }

    @Override
    public ScheduledFuture<?> registerTimer(long timestamp, ProcessingTimeCallback target) {
      return steady.registerTimer(timestamp - stepMillis, target);
    }
  }

  /** Runs each task at once in the submitting thread. */
  private static final class DirectExecutor extends AbstractExecutorService {
    private boolean isShutdown;

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {
      isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      isShutdown = true;
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return isShutdown;
    }

    @Override
    public boolean isTerminated() {
      return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return isShutdown;
    }
  }

  /** Keeps the registered metrics by name. */
  static final class RememberingMetricGroup extends UnregisteredMetricsGroup
      implements SinkWriterMetricGroup {
    private final SinkWriterMetricGroup flinks =
        UnregisteredMetricsGroup.createSinkWriterMetricGroup();
    private final Map<String, Counter> counters = new HashMap<>();
    private final Map<String, Gauge<?>> gauges = new HashMap<>();
    private final Map<String, Histogram> histograms = new HashMap<>();

    RememberingMetricGroup() {
      // Flink registers these three itself.
      counter("numRecordsSendErrors");
      counter("numRecordsSend");
      counter("numBytesSend");
    }

    long count(String name) {
      return counters.get(name).getCount();
    }

    Object gauge(String name) {
      return gauges.get(name).getValue();
    }

    Histogram histogram(String name) {
      return histograms.get(name);
    }

    @Override
    public Counter counter(String name) {
      return counters.computeIfAbsent(name, super::counter);
    }

    @Override
    public <C extends Counter> C counter(String name, C counter) {
      counters.put(name, counter);
      return counter;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(name, gauge);
      return gauge;
    }

    @Override
    public <H extends Histogram> H histogram(String name, H histogram) {
      histograms.put(name, histogram);
      return histogram;
    }

    @Override
    public OperatorIOMetricGroup getIOMetricGroup() {
      return flinks.getIOMetricGroup();
    }

    @Override
    public Counter getNumRecordsOutErrorsCounter() {
      return flinks.getNumRecordsOutErrorsCounter();
    }

    @Override
    public Counter getNumRecordsSendErrorsCounter() {
      return counter("numRecordsSendErrors");
    }

    @Override
    public Counter getNumRecordsSendCounter() {
      return counter("numRecordsSend");
    }

    @Override
    public Counter getNumBytesSendCounter() {
      return counter("numBytesSend");
    }

    @Override
    public void setCurrentSendTimeGauge(Gauge<Long> gauge) {
      gauges.put("currentSendTime", gauge);
    }
  }
}
