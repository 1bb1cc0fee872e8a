package io.lastfix.cli.audit;

import io.lastfix.cli.common.ImportProgress;
import io.lastfix.cli.common.TerminalStreams;
import io.lastfix.workload.StepProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows the progress of an audit. */
final class AuditProgress {
  private AuditProgress() {}

  /** On a terminal, a bar for each step; otherwise, a line for each step. */
  static StepProgress onStandardError(PrintWriter err) {
    return TerminalStreams.hasStandardError() ? ImportProgress.onStandardError() : new Lines(err);
  }

  /** Prints a line when a step begins. */
  private record Lines(PrintWriter err) implements StepProgress {
    @Override
    public void begin(String step, long expected) {
      err.println(expected < 0 ? step : String.format(Locale.ROOT, "%s (%,d)", step, expected));
    }
  }
}
