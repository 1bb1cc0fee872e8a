package io.lastfix.cli.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.lastfix.stack.StackException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What all commands share. A subclass returns its exit code from {@link #call()} and throws for a
 * failure, whose message becomes the one line its user sees.
 */
@Command(mixinStandardHelpOptions = true, versionProvider = BuildVersion.class, sortOptions = false)
public abstract class LastfixCommand implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .enable(SerializationFeature.INDENT_OUTPUT);

  @Option(names = "--verbose", description = "On failure, print the stack trace too.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  /** Where results go. */
  protected PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where progress and failures go, so that results can be piped. */
  protected PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** For a command line that cannot be meant: throw it. */
  protected ParameterException usageError(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** For {@code --from} and {@code --to}, of which either may be left out. */
  protected void requireOrder(@Nullable Instant from, @Nullable Instant to) {
    if (from != null && to != null && !from.isBefore(to)) {
      throw usageError("--from and --to: expected a moment and a later one");
    }
  }

  /** Prints a result for programs. */
  protected void printJson(Object result) {
    try {
      out().println(JSON.writeValueAsString(result));
    } catch (JsonProcessingException e) {
      throw new StackException("cannot write the result as JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** Whether a failure prints its stack trace. */
  public boolean isVerbose() {
    return verbose;
  }
}
