package io.lastfix.operate.access;

import io.lastfix.cluster.Redaction;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.KafkaClients;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.local.AlertmanagerServer;
import io.lastfix.local.ConsoleServer;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.MqttServer;
import io.lastfix.local.PrometheusServer;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;

/**
 * The result of checking whether a server answers its clients.
 *
 * @param failure why it does not answer; empty: it does
 */
public record ServerCheck(Optional<Failure> failure) {
  /**
   * Why a server does not answer.
   *
   * @param problem for the user, without passwords
   * @param detail the problem, and what to check unless the problem says so
   */
  public record Failure(String problem, String detail) {}

  /** Enough for a server that is not busy. */
  public static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration MONGO_READ_TIMEOUT = Duration.ofSeconds(10);

  private static final ServerCheck ANSWERS = new ServerCheck(Optional.empty());

  /** How the servers are checked that only some local stacks have, by name. */
  private static final Map<String, BiFunction<String, Duration, ServerCheck>> OPTIONAL = optional();

  private static Map<String, BiFunction<String, Duration, ServerCheck>> optional() {
    Map<String, BiFunction<String, Duration, ServerCheck>> checks = new LinkedHashMap<>();
    checks.put(GatewayServer.NAME, web("The gateway", "/ready", GatewayClient::isReady));
    checks.put(MqttServer.NAME, ServerCheck::mqtt);
    checks.put(ConsoleServer.NAME, web("The console", "/ready", ConsoleServer::isReady));
    checks.put(PrometheusServer.NAME, web("Prometheus", "/-/ready", PrometheusServer::isReady));
    checks.put(
        AlertmanagerServer.NAME, web("Alertmanager", "/-/ready", AlertmanagerServer::isReady));
    return Collections.unmodifiableMap(checks);
  }

  /**
   * The checks of a local stack's servers that not every local stack has, by name.
   *
   * @param endpoints of the local stack, by name
   */
  public static Map<String, Function<Duration, ServerCheck>> ofOptional(
      Map<String, String> endpoints) {
    Map<String, Function<Duration, ServerCheck>> checks = new LinkedHashMap<>();
    OPTIONAL.forEach(
        (name, check) -> {
          String address = endpoints.get(name);
          if (address != null) {
            checks.put(name, limit -> check.apply(address, limit));
          }
        });
    return checks;
  }

  private interface Probe {
    void run() throws Exception;
  }

  private static ServerCheck failed(String problem, String remedy) {
    return new ServerCheck(Optional.of(new Failure(problem, problem + remedy)));
  }

  /** Returns whether the server answers its clients. */
  public boolean answers() {
    return failure.isEmpty();
  }

  /** Checks whether MongoDB gives access to the database. */
  public static ServerCheck mongo(MongoOptions options) {
    return mongo(options, SHORT);
  }

  /** Checks whether MongoDB gives access to the database, with a limit for finding the server. */
  public static ServerCheck mongo(MongoOptions options, Duration limit) {
    try {
      MongoClientFactory.connect(options.withTimeouts(limit, limit, MONGO_READ_TIMEOUT), 1).close();
      return ANSWERS;
    } catch (MongoAccessException e) {
      // The message already names the server and the remedy.
      return failed(Redaction.redact(e.getMessage()), "");
    }
  }

  /** Queries a Kafka cluster for its brokers. */
  public static ServerCheck kafka(KafkaOptions options) {
    return kafka(options, SHORT);
  }

  /** Queries a Kafka cluster for its brokers, with a limit for the answer. */
  public static ServerCheck kafka(KafkaOptions options, Duration limit) {
    return check(
        "Kafka at " + options.bootstrapServers(),
        () -> {
          try (Admin admin =
              KafkaAdmin.connect(
                  KafkaClients.withShortTimeouts(options.clientProperties(), limit))) {
            KafkaClients.brokerAnswers(admin, limit);
          } catch (ExecutionException e) {
            throw new IOException(KafkaFailure.explain(e.getCause()), e.getCause());
          }
        });
  }

  /** Queries a Flink cluster for its version. */
  public static ServerCheck flink(String address) {
    return check("Flink at " + Redaction.redact(address), () -> new FlinkRest(address).version());
  }

  /**
   * Queries a Flink cluster for its version, with a limit for the answer, but at least that of
   * other clients: if no process listens on the port, the check fails at once anyway.
   */
  public static ServerCheck flink(String address, Duration limit) {
    Duration timeout = limit.compareTo(FlinkRest.TIMEOUT) > 0 ? limit : FlinkRest.TIMEOUT;
    return check(
        "Flink at " + Redaction.redact(address), () -> new FlinkRest(address, timeout).version());
  }

  /** Asks an MQTT broker for a connection, with a limit for the answer. */
  static ServerCheck mqtt(String address, Duration limit) {
    return check(
        "The MQTT broker at " + address,
        () -> {
          if (!MqttServer.answers(address, limit)) {
            throw new IOException("it accepts no connection");
          }
        });
  }

  /** Queries a server whether it is ready. */
  private interface WebProbe {
    boolean isReady(HttpClient client, String address, Duration limit) throws Exception;
  }

  private static BiFunction<String, Duration, ServerCheck> web(
      String what, String path, WebProbe probe) {
    return (address, limit) ->
        check(
            what + " at " + address,
            () -> {
              HttpClient client = HttpClient.newBuilder().connectTimeout(limit).build();
              if (!probe.isReady(client, address, limit)) {
                throw new IOException("it is not ready, see " + address + path);
              }
            });
  }

  private static ServerCheck check(String what, Probe probe) {
    try {
      probe.run();
      return ANSWERS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while checking " + what, e);
    } catch (Exception e) {
      return failed(
          what + " does not answer: " + Redaction.redact(reason(e)),
          "; check the address and that the server runs");
    }
  }

  /** A client's timeout often has no message; its type is used then. */
  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
