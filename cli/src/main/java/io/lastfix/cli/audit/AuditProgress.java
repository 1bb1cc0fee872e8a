package io.lastfix.cli.audit;

import io.lastfix.cli.common.ImportProgress;
import io.lastfix.cli.common.Terminal;
import io.lastfix.workload.StepProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows how far an audit has come. */
final class AuditProgress {
  private AuditProgress() {}

  /** A bar for each step on a terminal; a line for each where there is none. */
  static StepProgress onStandardError(PrintWriter err) {
    return Terminal.hasStandardError() ? ImportProgress.onStandardError() : new Lines(err);
  }

  /** Says what is done when it begins. */
  private record Lines(PrintWriter err) implements StepProgress {
    @Override
    public void begin(String step, long expected) {
      err.println(expected < 0 ? step : String.format(Locale.ROOT, "%s (%,d)", step, expected));
      err.flush();
    }

    @Override
    public void step() {
      // A line for each step is enough where nobody watches.
    }

    @Override
    public void close() {
      // Nothing was opened.
    }
  }
}
