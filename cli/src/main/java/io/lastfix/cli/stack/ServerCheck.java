package io.lastfix.cli.stack;

import com.mongodb.client.MongoClient;
import io.lastfix.cli.flink.FlinkRest;
import org.apache.kafka.clients.admin.Admin;
import org.bson.Document;

/**
 * Whether a server answers its clients.
 *
 * @param answers whether it does
 * @param detail what failed, for a person and without passwords; empty where it answers
 */
public record ServerCheck(boolean answers, String detail) {
  private interface Question {
    void ask() throws Exception;
  }

  /** Asks a MongoDB server or cluster for its ping. */
  public static ServerCheck mongo(String uri) {
    return check(
        "MongoDB at " + Redaction.redact(uri),
        () -> {
          try (MongoClient client = MongoServer.connect(uri)) {
            client.getDatabase("admin").runCommand(new Document("ping", 1));
          }
        });
  }

  /** Asks a Kafka cluster for its brokers. */
  public static ServerCheck kafka(String bootstrapServers) {
    return check(
        "Kafka at " + bootstrapServers,
        () -> {
          try (Admin admin = KafkaServer.connect(bootstrapServers)) {
            KafkaServer.brokerAnswers(admin);
          }
        });
  }

  /** Asks a Flink cluster for its version. */
  public static ServerCheck flink(String address) {
    return check("Flink at " + Redaction.redact(address), () -> new FlinkRest(address).version());
  }

  private static ServerCheck check(String what, Question question) {
    try {
      question.ask();
      return new ServerCheck(true, "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while asking " + what, e);
    } catch (Exception e) {
      return new ServerCheck(
          false,
          what
              + " does not answer: "
              + Redaction.redact(reason(e))
              + "; check the address and that the server runs");
    }
  }

  /** A timeout of a client often has no message; its type says enough. */
  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
