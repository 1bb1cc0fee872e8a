package io.lastfix.cli.push;

import java.io.IOException;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far a push has come. */
public interface PushProgress extends AutoCloseable {
  /** So many more were sent: records, or messages where the records are not known. */
  void step(long count);

  @Override
  void close();

  /** Shows nothing. */
  static PushProgress silent() {
    return new PushProgress() {
      @Override
      public void step(long count) {
        // nothing to show it on
      }

      @Override
      public void close() {
        // nothing was opened
      }
    };
  }

  /**
   * A bar with the rate achieved.
   *
   * @param unit what is counted, with a blank before it, for instance " records"
   * @param expected how many there will be; -1 where that is not known
   */
  static PushProgress bar(String unit, long expected, PrintStream terminal) {
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName("push")
            .setUnit(unit, 1)
            .setInitialMax(expected)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(250)
            .setConsumer(new ConsoleProgressBarConsumer(terminal))
            .showSpeed()
            .build();
    return new PushProgress() {
      @Override
      public void step(long count) {
        bar.stepBy(count);
      }

      @Override
      public void close() {
        bar.close();
      }
    };
  }

  /**
   * Whether the standard error goes to a terminal. Java cannot tell; the shell's {@code test} can,
   * and where there is none the answer is no.
   */
  static boolean standardErrorIsTerminal() {
    try {
      Process test =
          new ProcessBuilder("test", "-t", "2")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return test.waitFor() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
