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
import io.lastfix.local.NotifyServer;
import io.lastfix.local.PrometheusServer;
import io.lastfix.local.WebServer;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;

/**
 * A check whether a server answers its clients.
 *
 * @param address of its clients, with passwords
 * @param within checks it, with a limit for finding the server, or for its answer, and returns why
 *     it does not answer; empty: it does
 */
public record ServerCheck(String address, Function<Duration, Optional<Failure>> within) {
  /**
   * Why a server does not answer.
   *
   * @param problem for the user, without passwords and without a driver's words
   * @param detail the problem, and what to check unless the problem says so
   */
  public record Failure(String problem, String detail) {}

  /** Enough for a server that is not busy. */
  public static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration MONGO_READ_TIMEOUT = Duration.ofSeconds(10);

  /**
   * A local stack's servers that not every local stack has, by name.
   *
   * @param endpoints of the local stack, by name
   */
  public static Map<String, ServerCheck> ofOptional(Map<String, String> endpoints) {
    Map<String, Function<String, ServerCheck>> all = new LinkedHashMap<>();
    all.put(GatewayServer.NAME, web("The gateway", "/ready", GatewayClient::isReady));
    all.put(MqttServer.NAME, ServerCheck::mqtt);
    all.put(NotifyServer.NAME, web("Notify", "/ready", WebServer.page("/ready")));
    all.put(ConsoleServer.NAME, web("The console", "/ready", WebServer.page("/ready")));
    all.put(PrometheusServer.NAME, web("Prometheus", "/-/ready", WebServer.page("/-/ready")));
    all.put(AlertmanagerServer.NAME, web("Alertmanager", "/-/ready", WebServer.page("/-/ready")));
    Map<String, ServerCheck> found = new LinkedHashMap<>();
    all.forEach(
        (name, target) -> {
          String address = endpoints.get(name);
          if (address != null) {
            found.put(name, target.apply(address));
          }
        });
    return found;
  }

  private interface Probe {
    void run(Duration limit) throws Exception;
  }

  /** Checks whether MongoDB gives access to the database. */
  public static ServerCheck mongo(MongoOptions options) {
    return new ServerCheck(options.uri(), limit -> mongo(options, limit));
  }

  private static Optional<Failure> mongo(MongoOptions options, Duration limit) {
    try {
      MongoClientFactory.connect(options.withTimeouts(limit, limit, MONGO_READ_TIMEOUT), 1).close();
      return Optional.empty();
    } catch (MongoAccessException e) {
      // The message already names the server and the remedy.
      String message = Redaction.redact(e.getMessage());
      String problem =
          e.isUnanswered() ? "MongoDB at %s does not answer".formatted(options.hosts()) : message;
      return Optional.of(new Failure(problem, message));
    }
  }

  /** Queries a Kafka cluster for its brokers. */
  public static ServerCheck kafka(KafkaOptions options) {
    return target(
        options.bootstrapServers(),
        "Kafka at ",
        limit -> {
          try (Admin admin =
              KafkaAdmin.connect(
                  KafkaClients.withShortTimeouts(options.clientProperties(), limit))) {
            KafkaClients.brokerAnswers(admin, limit);
          } catch (ExecutionException e) {
            throw new IOException(KafkaFailure.explain(e.getCause()), e.getCause());
          }
        });
  }

  /**
   * Queries a Flink cluster for its version. The limit is at least that of other clients: if no
   * process listens on the port, the check fails at once anyway.
   */
  public static ServerCheck flink(String address) {
    return target(
        address,
        "Flink at ",
        limit -> {
          Duration timeout = limit.compareTo(FlinkRest.TIMEOUT) > 0 ? limit : FlinkRest.TIMEOUT;
          var unused = new FlinkRest(address, timeout).version();
        });
  }

  /** Asks an MQTT broker for a connection. */
  private static ServerCheck mqtt(String endpoint) {
    return target(
        endpoint,
        "The MQTT broker at ",
        limit -> {
          if (!MqttServer.answers(endpoint, limit)) {
            throw new IOException("it accepts no connection");
          }
        });
  }

  private static Function<String, ServerCheck> web(
      String what, String path, WebServer.Probe probe) {
    return endpoint ->
        target(
            endpoint,
            what + " at ",
            limit -> {
              HttpClient client = HttpClient.newBuilder().connectTimeout(limit).build();
              if (!probe.isReady(client, endpoint, limit)) {
                throw new IOException("it is not ready, see " + endpoint + path);
              }
            });
  }

  private static ServerCheck target(String address, String what, Probe probe) {
    return new ServerCheck(address, limit -> check(what + Redaction.redact(address), probe, limit));
  }

  private static Optional<Failure> check(String what, Probe probe, Duration limit) {
    try {
      probe.run(limit);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while checking " + what, e);
    } catch (Exception e) {
      String unanswered = what + " does not answer";
      String problem = unanswered + ": " + Redaction.redact(reason(e));
      return Optional.of(
          new Failure(
              isTimeout(e) ? unanswered : problem,
              problem + "; check the address and that the server runs"));
    }
  }

  /** Of a timeout, a client's words add nothing. */
  private static boolean isTimeout(Exception failure) {
    for (Throwable it = failure; it != null; it = it.getCause()) {
      if (it instanceof HttpTimeoutException
          || it instanceof TimeoutException
          || it instanceof org.apache.kafka.common.errors.TimeoutException) {
        return true;
      }
    }
    return false;
  }

  /** A client's timeout often has no message; its type is used then. */
  private static String reason(Exception failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
