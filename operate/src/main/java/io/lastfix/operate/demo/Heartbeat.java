package io.lastfix.operate.demo;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Prints what a long command does, and repeats the newest state if it has printed nothing for a
 * while. It needs no terminal, so a log shows the same.
 */
public final class Heartbeat implements AutoCloseable {
  /** With the second that a check may be late, under five. */
  private static final Duration SILENCE = Duration.ofSeconds(4);

  private final Consumer<String> lines;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "heartbeat");
            thread.setDaemon(true);
            return thread;
          });

  private String state = "";
  private long stepBegan;
  private long lastLine;

  /** Begins to print a line if none was printed for a while, until it is closed. */
  public Heartbeat(Consumer<String> lines) {
    this(lines, System::nanoTime);
    var unused = timer.scheduleWithFixedDelay(this::check, 1, 1, TimeUnit.SECONDS);
  }

  /** Without a timer: {@link #check} is the caller's. */
  public Heartbeat(Consumer<String> lines, LongSupplier nanoTime) {
    this.lines = lines;
    this.nanoTime = nanoTime;
    stepBegan = nanoTime.getAsLong();
    lastLine = stepBegan;
  }

  /** Begins a step. */
  synchronized void step(String what) {
    stepBegan = nanoTime.getAsLong();
    state = what;
    print("==> " + what);
  }

  /** Prints a result, or an event, of the current step. */
  synchronized void say(String what) {
    print("    " + what);
  }

  /** Sets what is done of how much, which is printed if the step takes long. */
  synchronized void show(String progress) {
    state = progress;
  }

  synchronized void check() {
    if (nanoTime.getAsLong() - lastLine >= SILENCE.toNanos()) {
      print(
          "    ... %s (%d s)"
              .formatted(state, TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - stepBegan)));
    }
  }

  private void print(String line) {
    lines.accept(line);
    lastLine = nanoTime.getAsLong();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
