package io.lastfix.it.harness;

import io.lastfix.cli.Lastfix;
import io.lastfix.it.harness.LastfixProcess.Result;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * The {@code lastfix} command in the test's own JVM: for tests that are about what a command does.
 * It costs a tenth of what a process costs. It has the environment and the working directory of the
 * tests, so a test of these, of a signal or of a terminal needs {@link LastfixProcess}.
 */
public final class LastfixInProcess {
  private LastfixInProcess() {}

  /** Runs a command to its end. */
  public static Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Lastfix.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int exitCode = command.execute(arguments);
    return new Result(exitCode, out.toString(), err.toString());
  }

  /** Runs a command with the settings of a run's jobs. */
  public static Result run(LocationRun run, String... arguments) {
    return run(run.command(arguments));
  }
}
