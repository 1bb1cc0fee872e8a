package io.lastfix.sink;

import io.lastfix.store.connect.Resources;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** The parts that the two sinks share: a writer with its threads and metrics. */
final class MongoSinks {
  /** Connections of a sink's client besides those of its bulks: one prepares collections. */
  private static final int MORE_CONNECTIONS = 1;

  private MongoSinks() {}

  /** Returns the maximum number of concurrent operations of a sink's client. */
  static int connections(BulkOptions options) {
    return options.maxBulksInFlight() + MORE_CONNECTIONS;
  }

  /**
   * Creates a writer to that server.
   *
   * @param server closed with the writer, and also if the writer cannot be created
   */
  static <T> BulkSinkWriter<T> writer(
      WriterInitContext context,
      RecordBatching<T> batching,
      BulkServer<T> server,
      BulkOptions options) {
    try {
      DriverThreads.endWith(context.getUserCodeClassLoader());
      // Starts no thread before the first bulk.
      ExecutorService threads =
          Executors.newFixedThreadPool(options.maxBulksInFlight(), threadFactory(context, "bulk"));
      return new BulkSinkWriter<>(
          batching,
          server,
          options,
          context.getMailboxExecutor(),
          context.getProcessingTimeService(),
          System::nanoTime,
          threads,
          Executors.newSingleThreadExecutor(threadFactory(context, "prepare")),
          new BulkSinkMetrics(context.metricGroup()));
    } catch (Throwable e) {
      Resources.closeAfter(e, server);
      throw e;
    }
  }

  /** Returns daemon threads whose names contain the subtask and their work. */
  static ThreadFactory threadFactory(WriterInitContext context, String work) {
    String prefix =
        "%s-%d-%s-"
            .formatted(
                context.getTaskInfo().getTaskName(),
                context.getTaskInfo().getIndexOfThisSubtask(),
                work);
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
