package io.lastfix.it.harness;

import java.time.Duration;
import java.util.StringJoiner;

/**
 * What a test of a fault saw, in one line of its output: {@code [fault] TaskManager killed twice:
 * 40,000 records, longest pause 6.2 s, 2 restarts, …}. {@code docs/reference/fault-runs.json} has
 * the figures of the last runs.
 */
public final class FaultReport {
  private final String fault;
  private final StringJoiner figures = new StringJoiner(", ");

  private FaultReport(String fault) {
    this.fault = fault;
  }

  /** About that fault. */
  public static FaultReport of(String fault) {
    return new FaultReport(fault);
  }

  /** A number and what it counts, such as 2 and {@code restarts}. */
  public FaultReport count(long number, String what) {
    figures.add("%,d %s".formatted(number, what));
    return this;
  }

  /** What took how long. */
  public FaultReport time(String what, Duration time) {
    figures.add("%s %.1f s".formatted(what, time.toMillis() / 1e3));
    return this;
  }

  /** Prints the line. */
  public void print() {
    System.out.printf("[fault] %s: %s%n", fault, figures);
  }
}
