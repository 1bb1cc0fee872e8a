package io.lastfix.cli;

import com.mongodb.MongoException;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cluster.Redaction;
import io.lastfix.kit.config.ConfigurationException;
import io.lastfix.kit.failure.FileFailure;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.KafkaRequestException;
import io.lastfix.store.connect.MongoAccessException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Prints why a command failed: in one line, or one line per problem if there are many. The stack
 * trace goes to the log.
 */
final class FailureHandler implements IExecutionExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(FailureHandler.class);

  /** A longer message keeps its line breaks, because one joined line would be unreadable. */
  private static final int MAX_JOINED = 3;

  /** How MongoDB's answer begins: the database, the command and the collection. */
  private static final Pattern UNAUTHORIZED =
      Pattern.compile("not authorized on (\\S+) to execute command \\{ (\\w+): \"([^\"]+)\"");

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parseResult) {
    String name = commandLine.getCommandSpec().qualifiedName();
    String message = message(failure);
    String trace = Redaction.stackTrace(failure);
    LOG.error("{} failed: {}", name, trace);
    commandLine.getErr().println(name + ": " + Redaction.redact(inFewLines(message)));
    if (commandLine.getCommand() instanceof LastfixCommand command && command.isVerbose()) {
      commandLine.getErr().print(trace);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String message(Exception failure) {
    if (failure instanceof ConfigurationException configuration) {
      return String.join("; ", configuration.problems());
    }
    if (failure instanceof FileSystemException file) {
      // Its own message is only the file's name, or not even that.
      return file.getFile() + ": " + FileFailure.reason(file);
    }
    return failure.getMessage() == null ? failure.toString() : explained(failure);
  }

  /** Adds the remedy to what Kafka or MongoDB refused, if one is known. */
  private static String explained(Exception failure) {
    String message = failure.getMessage();
    if (failure instanceof MongoException refused && MongoAccessException.isUnauthorized(refused)) {
      Matcher command = UNAUTHORIZED.matcher(message);
      return "MongoDB does not let the user of mongo.uri %s: grant it a role that may (config/mongodb/roles.json; lastfixReader for queries)"
          .formatted(
              command.find()
                  ? "run %s on %s.%s"
                      .formatted(command.group(2), command.group(1), command.group(3))
                  : "do this");
    }
    if (failure instanceof MongoException lost && MongoAccessException.isLost(lost)) {
      // The driver's message has the address.
      return "MongoDB no longer answers: check that the server runs, and run the command again (%s)"
          .formatted(message);
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KafkaRequestException refused) {
        String plain = refused.getMessage();
        return message.replace(plain, "Kafka: " + KafkaFailure.explain(refused.getCause()));
      }
    }
    return message;
  }

  private static String inFewLines(String message) {
    List<String> lines = message.lines().map(String::strip).toList();
    String delimiter = lines.size() > MAX_JOINED ? System.lineSeparator() + "  " : "; ";
    return String.join(delimiter, lines);
  }
}
