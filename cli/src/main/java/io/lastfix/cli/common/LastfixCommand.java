package io.lastfix.cli.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.lastfix.cluster.StackException;
import io.lastfix.store.query.LastKnownLocation;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base class of all commands that do something. A subclass returns its exit code from {@link
 * #call()} and throws an exception for a failure. The exception's message is the one line that the
 * user sees.
 *
 * <p>Picocli's standard help options have short names, {@code -h} and {@code -V}, which would take
 * the place of ids.
 */
@Command(sortOptions = false)
public abstract class LastfixCommand extends HelpPage implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(SerializationFeature.INDENT_OUTPUT);

  @Option(names = "--verbose", description = "On failure, print the stack trace too.")
  private boolean verbose;

  @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
  boolean helpRequested;

  @Option(
      names = "--version",
      versionHelp = true,
      description = "Print version information and exit.")
  boolean versionRequested;

  @Spec private CommandSpec spec;

  /** The stream of results. */
  protected PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** The stream of progress and failures, so that results can be piped. */
  protected PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints a line of progress, or of a problem, separately from the results. */
  protected final void say(String line) {
    err().println(line);
  }

  /** Prints such a line, of a format and its values. */
  protected final void say(String format, Object... values) {
    err().printf(format + "%n", values);
  }

  /** Prints which messages of a topic were not read, and why. */
  protected final void sayUnreadable(String topic, List<String> places) {
    places.forEach(place -> say("A message of %s is skipped: %s", topic, place));
  }

  /** A JSON object without fields. */
  protected static ObjectNode emptyObject() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** The exception for a wrong command line: throw it. */
  protected ParameterException usageError(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /**
   * Returns the value, unless it is rejected with an {@link IllegalArgumentException}: that is a
   * wrong command line.
   *
   * @param prefix of the exception's message, such as {@code "--by: "}
   */
  protected final <T> T accepted(String prefix, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw usageError(prefix + e.getMessage());
    }
  }

  /** Checks a number of an option. */
  protected final void requireAtLeast(String option, int least, int found) {
    if (found < least) {
      throw usageError("%s: expected %d or more, found %d".formatted(option, least, found));
    }
  }

  /** Reads an option's duration such as 90s, see {@link LastKnownLocation#window}. */
  protected final Duration duration(String option, String text) {
    return accepted(option + ": ", () -> LastKnownLocation.window(text));
  }

  /** Prints a result as JSON. */
  protected void printJson(Object result) {
    try {
      out().println(JSON.writeValueAsString(result));
    } catch (JsonProcessingException e) {
      throw new StackException("cannot write the result as JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Returns whether a failure prints its stack trace. */
  public boolean isVerbose() {
    return verbose;
  }
}
