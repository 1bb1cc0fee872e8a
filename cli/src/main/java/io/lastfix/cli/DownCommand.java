package io.lastfix.cli;

import io.lastfix.cli.stack.LocalStack;
import io.lastfix.cli.stack.StackHome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Stops the local stack. */
@Command(name = "down", description = "Stops the local stack. Its data stays.")
final class DownCommand extends LastfixCommand {
  @Option(names = "--purge", description = "Delete the data too.")
  private boolean purge;

  @Override
  public Integer call() {
    StackHome home = StackHome.locate(System.getenv());
    int stopped = new LocalStack(home, line -> err().println(line)).down(purge);
    out()
        .println(
            stopped == 0
                ? "Nothing was running."
                : "The stack is down; " + stopped + " processes stopped.");
    return 0;
  }
}
