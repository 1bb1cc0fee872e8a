package io.lastfix.cli.push;

import io.lastfix.workload.PushProgress;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows on a terminal how far a push has come, with the rate achieved. */
final class PushProgressBar implements PushProgress {
  private final ProgressBar bar;

  /**
   * @param unit what is counted, with a blank before it, for instance " records"
   * @param expected how many there will be; -1 if that is not known
   */
  PushProgressBar(String unit, long expected, PrintStream terminal) {
    bar =
        new ProgressBarBuilder()
            .setTaskName("push")
            .setUnit(unit, 1)
            .setInitialMax(expected)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(250)
            .setConsumer(new ConsoleProgressBarConsumer(terminal))
            .showSpeed()
            .build();
  }

  @Override
  public void step(long count) {
    bar.stepBy(count);
  }

  @Override
  public void close() {
    bar.close();
  }
}
