package io.lastfix.cli.common;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.stack.KafkaServer;
import io.lastfix.stack.Redaction;
import io.lastfix.stack.StackException;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Whether a server answers its clients.
 *
 * @param answers whether it does
 * @param problem what failed, for a person and without passwords; empty where it answers
 * @param remedy what to check where nothing is known of the server; empty where the problem says it
 */
public record ServerCheck(boolean answers, String problem, String remedy) {
  /** Enough for a server that is not busy. */
  static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration MONGO_READ_TIMEOUT = Duration.ofSeconds(10);

  private static final ServerCheck ANSWERS = new ServerCheck(true, "", "");

  private interface Question {
    void ask() throws Exception;
  }

  /** The problem and the remedy. */
  public String detail() {
    return problem + remedy;
  }

  /** Asks MongoDB whether it lets us into the database. */
  public static ServerCheck mongo(MongoOptions options) {
    return mongo(options, SHORT);
  }

  /** The same, with so much time for it to be found. */
  static ServerCheck mongo(MongoOptions options, Duration limit) {
    try {
      MongoClientFactory.connect(options.withTimeouts(limit, limit, MONGO_READ_TIMEOUT), 1).close();
      return ANSWERS;
    } catch (MongoAccessException e) {
      // Says already which server, and what to do.
      return new ServerCheck(false, Redaction.redact(e.getMessage()), "");
    }
  }

  /** Asks a Kafka cluster for its brokers. */
  public static ServerCheck kafka(KafkaOptions options) {
    return kafka(options, SHORT);
  }

  /** The same, with so much time for the answer. */
  static ServerCheck kafka(KafkaOptions options, Duration limit) {
    return check(
        "Kafka at " + options.bootstrapServers(),
        () -> {
          try (Admin admin =
              KafkaAdmin.connect(KafkaServer.impatient(options.clientProperties(), limit))) {
            KafkaServer.brokerAnswers(admin, limit);
          } catch (ExecutionException e) {
            throw new IOException(KafkaAdmin.explain(e.getCause()), e.getCause());
          }
        });
  }

  /** Asks a Flink cluster for its version. */
  public static ServerCheck flink(String address) {
    return check("Flink at " + Redaction.redact(address), () -> new FlinkRest(address).version());
  }

  /**
   * The same, with so much time for the answer, and never less than other clients give it: where
   * nothing listens, that is known at once.
   */
  static ServerCheck flink(String address, Duration limit) {
    Duration timeout = limit.compareTo(FlinkRest.TIMEOUT) > 0 ? limit : FlinkRest.TIMEOUT;
    return check(
        "Flink at " + Redaction.redact(address), () -> new FlinkRest(address, timeout).version());
  }

  private static ServerCheck check(String what, Question question) {
    try {
      question.ask();
      return ANSWERS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while asking " + what, e);
    } catch (Exception e) {
      return new ServerCheck(
          false,
          what + " does not answer: " + Redaction.redact(reason(e)),
          "; check the address and that the server runs");
    }
  }

  /** A timeout of a client often has no message; its type says enough. */
  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
