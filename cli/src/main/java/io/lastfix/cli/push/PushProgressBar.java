package io.lastfix.cli.push;

import io.lastfix.cli.common.ImportProgress;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;

/** Shows the progress and rate of a push on a terminal. */
final class PushProgressBar implements LongConsumer, AutoCloseable {
  private final ProgressBar bar;

  /**
   * @param unit the counted unit, with a blank before it, for instance " records"
   * @param expected the expected number; -1 if unknown
   */
  PushProgressBar(String unit, long expected) {
    bar = ImportProgress.builder("push", expected).setUnit(unit, 1).showSpeed().build();
  }

  @Override
  public void accept(long count) {
    bar.stepBy(count);
  }

  @Override
  public void close() {
    bar.close();
  }
}
