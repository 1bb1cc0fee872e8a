package io.lastfix.cli.common;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.stack.AlertmanagerServer;
import io.lastfix.stack.ConsoleServer;
import io.lastfix.stack.GatewayServer;
import io.lastfix.stack.KafkaServer;
import io.lastfix.stack.MqttServer;
import io.lastfix.stack.PrometheusServer;
import io.lastfix.stack.Redaction;
import io.lastfix.stack.StackException;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;

/**
 * The result of checking whether a server answers its clients.
 *
 * @param answers whether it does
 * @param problem the failure for the user, without passwords; empty if the server answers
 * @param remedy what to check if the server's state is unknown; empty if the problem names it
 */
public record ServerCheck(boolean answers, String problem, String remedy) {
  /** Enough for a server that is not busy. */
  static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration MONGO_READ_TIMEOUT = Duration.ofSeconds(10);

  private static final ServerCheck ANSWERS = new ServerCheck(true, "", "");

  /** How the servers are checked that only some local stacks have, by name. */
  private static final Map<String, BiFunction<String, Duration, ServerCheck>> OPTIONAL = optional();

  private static Map<String, BiFunction<String, Duration, ServerCheck>> optional() {
    Map<String, BiFunction<String, Duration, ServerCheck>> checks = new LinkedHashMap<>();
    checks.put(GatewayServer.NAME, ServerCheck::gateway);
    checks.put(MqttServer.NAME, ServerCheck::mqtt);
    checks.put(ConsoleServer.NAME, ServerCheck::console);
    checks.put(PrometheusServer.NAME, ServerCheck::prometheus);
    checks.put(AlertmanagerServer.NAME, ServerCheck::alertmanager);
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

  /** The problem and the remedy. */
  public String detail() {
    return problem + remedy;
  }

  /** Checks whether MongoDB gives access to the database. */
  public static ServerCheck mongo(MongoOptions options) {
    return mongo(options, SHORT);
  }

  /** The same, with a limit for finding the server. */
  static ServerCheck mongo(MongoOptions options, Duration limit) {
    try {
      MongoClientFactory.connect(options.withTimeouts(limit, limit, MONGO_READ_TIMEOUT), 1).close();
      return ANSWERS;
    } catch (MongoAccessException e) {
      // The message already names the server and the remedy.
      return new ServerCheck(false, Redaction.redact(e.getMessage()), "");
    }
  }

  /** Queries a Kafka cluster for its brokers. */
  public static ServerCheck kafka(KafkaOptions options) {
    return kafka(options, SHORT);
  }

  /** The same, with a limit for the answer. */
  static ServerCheck kafka(KafkaOptions options, Duration limit) {
    return check(
        "Kafka at " + options.bootstrapServers(),
        () -> {
          try (Admin admin =
              KafkaAdmin.connect(
                  KafkaServer.withShortTimeouts(options.clientProperties(), limit))) {
            KafkaServer.brokerAnswers(admin, limit);
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
   * The same, with a limit for the answer, but at least that of other clients: if no process
   * listens on the port, the check fails at once anyway.
   */
  static ServerCheck flink(String address, Duration limit) {
    Duration timeout = limit.compareTo(FlinkRest.TIMEOUT) > 0 ? limit : FlinkRest.TIMEOUT;
    return check(
        "Flink at " + Redaction.redact(address), () -> new FlinkRest(address, timeout).version());
  }

  /** Asks a gateway whether it takes requests, with a limit for the answer. */
  static ServerCheck gateway(String address, Duration limit) {
    return web("The gateway", address, "/ready", limit, GatewayServer::isReady);
  }

  /** Asks a console whether it serves its page and finds MongoDB, with a limit for the answer. */
  static ServerCheck console(String address, Duration limit) {
    return web("The console", address, "/ready", limit, ConsoleServer::isReady);
  }

  /** Asks a Prometheus whether it answers queries, with a limit for the answer. */
  static ServerCheck prometheus(String address, Duration limit) {
    return web("Prometheus", address, "/-/ready", limit, PrometheusServer::isReady);
  }

  /** Asks an Alertmanager whether it accepts alerts, with a limit for the answer. */
  static ServerCheck alertmanager(String address, Duration limit) {
    return web("Alertmanager", address, "/-/ready", limit, AlertmanagerServer::isReady);
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

  private static ServerCheck web(
      String what, String address, String path, Duration limit, WebProbe probe) {
    return check(
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
      return new ServerCheck(
          false,
          what + " does not answer: " + Redaction.redact(reason(e)),
          "; check the address and that the server runs");
    }
  }

  /** A client's timeout often has no message; its type is used then. */
  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
