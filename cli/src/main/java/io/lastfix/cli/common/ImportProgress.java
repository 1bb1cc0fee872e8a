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
    return Terminal.hasStandardError() ? new ImportProgress() : StepProgress.silent();
  }

  @Override
  public void begin(String step, long expected) {
    close();
    bar =
        new ProgressBarBuilder()
            .setTaskName(step)
            .setInitialMax(expected)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(250)
            .setConsumer(new ConsoleProgressBarConsumer(System.err))
            .build();
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
