package io.lastfix.operate.analysis;

import io.lastfix.cluster.Redaction;
import io.lastfix.kit.poll.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Adds late records again and again, beside what else the process does: a minute after the former
 * time, but at most for a tenth of the time, and ten minutes after a failure.
 */
public final class LateAnalysisLoop {
  static final Duration SHORTEST_PAUSE = Duration.ofMinutes(1);
  static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(10);
  private static final int PAUSES_OF_AN_ANALYSIS = 9;

  private final Attempt attempt;
  private final Consumer<String> events;
  private final Thread thread = new Thread(this::repeat, "late-analysis");
  private final Trouble trouble = new Trouble();

  /** One time. */
  @FunctionalInterface
  interface Attempt {
    LateAnalysis.Result run() throws IOException, InterruptedException;
  }

  LateAnalysisLoop(Attempt attempt, Consumer<String> events) {
    this.attempt = attempt;
    this.events = events;
    thread.setDaemon(true);
  }

  /**
   * Begins.
   *
   * @param events receives a line for each time that adds records, and for each new trouble; called
   *     by another thread
   */
  public static LateAnalysisLoop start(LateAnalysis analysis, Consumer<String> events) {
    LateAnalysisLoop loop = new LateAnalysisLoop(analysis::run, events);
    loop.thread.start();
    return loop;
  }

  /** Ends without waiting. A running job continues, and a later attempt repeats its work. */
  public void stop() {
    thread.interrupt();
  }

  private void repeat() {
    try {
      Duration pause = SHORTEST_PAUSE;
      while (true) {
        Thread.sleep(pause.toMillis());
        pause = once();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes one attempt; returns the pause after it. A failure of any kind ends no supervision. */
  Duration once() throws InterruptedException {
    long began = System.nanoTime();
    try {
      LateAnalysis.Result result = attempt.run();
      trouble.end();
      if (result.records() > 0) {
        events.accept(result.text());
      }
      Duration pause =
          Duration.ofNanos(System.nanoTime() - began).multipliedBy(PAUSES_OF_AN_ANALYSIS);
      return pause.compareTo(SHORTEST_PAUSE) > 0 ? pause : SHORTEST_PAUSE;
    } catch (IOException | RuntimeException | LinkageError e) {
      // Clients of Flink and MongoDB say so in exceptions of their own. A class is missing after an
      // upgrade has replaced the files of this process.
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("late analysis stopped");
      }
      String message = String.valueOf(e.getMessage());
      if (trouble.isNew(message)) {
        events.accept(
            "late records are not added: %s; trying again in %d min"
                .formatted(Redaction.redact(message), PAUSE_AFTER_FAILURE.toMinutes()));
      }
      return PAUSE_AFTER_FAILURE;
    }
  }
}
