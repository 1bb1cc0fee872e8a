package io.lastfix.cli.common;

import com.fasterxml.jackson.databind.node.ObjectNode;
import picocli.CommandLine.Option;

/** The base class of the commands that print one result, as text or as JSON. */
public abstract class JsonCommand extends LastfixCommand {
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Returns whether the user wants JSON. */
  protected final boolean isJson() {
    return json;
  }

  /**
   * Prints the result.
   *
   * @param result as JSON of several lines
   * @param lines as text
   */
  protected final void print(Object result, Iterable<?> lines) {
    if (json) {
      printJson(result);
    } else {
      lines.forEach(out()::println);
    }
  }

  /**
   * Prints the result.
   *
   * @param line as JSON, in one line
   * @param text for the user
   */
  protected final void print(ObjectNode line, String text) {
    out().println(json ? line : text);
  }
}
