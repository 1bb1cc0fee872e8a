package io.lastfix.cli.common;

import io.lastfix.workload.StepProgress;
import java.io.PrintWriter;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on the standard error for each step of a long operation. */
public final class TerminalProgress implements StepProgress {
  private @Nullable ProgressBar bar;

  private TerminalProgress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** On a terminal, a bar for each step; silent without one. */
  public static StepProgress orSilent() {
    return TerminalStreams.hasStandardError() ? new TerminalProgress(null) : StepProgress.silent();
  }

  /** On a terminal, a bar for each step; otherwise, a line for each step. */
  public static StepProgress orLines(PrintWriter err) {
    return TerminalStreams.hasStandardError() ? new TerminalProgress(null) : new Lines(err);
  }

  /**
   * On a terminal, one bar with the rate of a push, which has one step; silent without one.
   *
   * @param unit the counted unit, with a blank before it, for instance " records"
   * @param expected the expected number; -1 if unknown
   */
  public static StepProgress ofPush(String unit, long expected) {
    return TerminalStreams.hasStandardError()
        ? new TerminalProgress(builder("push", expected).setUnit(unit, 1).showSpeed().build())
        : StepProgress.silent();
  }

  private record Lines(PrintWriter err) implements StepProgress {
    @Override
    public void begin(String step, long expected) {
      err.println(expected < 0 ? step : String.format(Locale.ROOT, "%s (%,d)", step, expected));
    }
  }

  @Override
  public void begin(String step, long expected) {
    close();
    bar = builder(step, expected).build();
  }

  private static ProgressBarBuilder builder(String name, long expected) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(expected)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(250)
        .setConsumer(new ConsoleProgressBarConsumer(System.err));
  }

  @Override
  public void step(long count) {
    if (bar != null) {
      bar.stepBy(count);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
