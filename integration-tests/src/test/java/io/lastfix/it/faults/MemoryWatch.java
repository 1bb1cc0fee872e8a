package io.lastfix.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the memory of a stack's only TaskManager again and again, and keeps the most it saw. */
final class MemoryWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
  private static final int PERIOD_MILLIS = 500;
  private static final Map<String, String> METRICS =
      Map.of(
          "heap", "Status.JVM.Memory.Heap.Used",
          "metaspace", "Status.JVM.Memory.Metaspace.Used",
          "direct", "Status.JVM.Memory.Direct.MemoryUsed");

  private final TestStack stack;
  private final ServerProcess taskManager;
  private final Map<String, Long> most = new TreeMap<>();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

  /** Looks from now on. */
  MemoryWatch(TestStack stack) {
    this.stack = stack;
    taskManager = stack.cluster().taskManagerProcesses().get(0);
    var unused = thread.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    METRICS.forEach(
        (name, metric) -> {
          try {
            stack
                .flink()
                .taskManagerMetric(taskManager.name(), metric)
                .ifPresent(bytes -> note(name, bytes));
          } catch (IOException e) {
            LOG.info("Flink does not tell {} now: {}", metric, e.getMessage());
          }
        });
  }

  private synchronized void note(String name, long bytes) {
    most.merge(name, bytes >> 20, Math::max);
  }

  /** The most of each kind that was in use, for the report. */
  synchronized String report() {
    assertThat(most.keySet()).as("what Flink told").isEqualTo(METRICS.keySet());
    return most + " MiB at most";
  }

  /** The TaskManager is the process it was, and ran out of no memory. */
  void assertMemoryWasEnough() throws IOException {
    assertThat(taskManager.isRunning()).as("the TaskManager runs").isTrue();
    try (Stream<String> lines = Files.lines(taskManager.logFile())) {
      assertThat(lines.filter(line -> line.contains("OutOfMemoryError"))).isEmpty();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
