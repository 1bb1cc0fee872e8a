package io.lastfix.cli.common;

import io.lastfix.workload.StepProgress;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar for each step of a long operation. */
public final class ImportProgress implements StepProgress {
  private @Nullable ProgressBar bar;

  private ImportProgress() {}

  /** On a terminal; silent without one. */
  public static StepProgress onStandardError() {
    return TerminalStreams.hasStandardError() ? new ImportProgress() : StepProgress.silent();
  }

  @Override
  public void begin(String step, long expected) {
    close();
    bar = builder(step, expected).build();
  }

  /**
   * A bar on the standard error.
   *
   * @param expected the expected number of steps; -1 if unknown
   */
  public static ProgressBarBuilder builder(String name, long expected) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(expected)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(250)
        .setConsumer(new ConsoleProgressBarConsumer(System.err));
  }

  @Override
  public void step() {
    if (bar != null) {
      bar.step();
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
