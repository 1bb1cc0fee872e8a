package io.lastfix.notify.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttClientTransportConfig;
import com.hivemq.client.mqtt.MqttClientTransportConfigBuilder;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.puback.Mqtt5PubAckReasonCode;
import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.net.TrustedAuthorities;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.config.MqttOptions;
import io.lastfix.rules.alert.AlertCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes alerts to topics of MQTT with QoS 1; a PUBACK is the delivery.
 *
 * <p>It connects with the first alert, and again with the next alert after the connection has
 * ended. Each connection has a client of its own, without a session: a client that reconnects would
 * keep what it has not sent, and send it beside the repeats. A connection on which a PUBACK did not
 * come in time is ended.
 */
public final class MqttReceiver implements Receiver {
  private static final Set<Mqtt5PubAckReasonCode> FINAL =
      Set.of(
          Mqtt5PubAckReasonCode.TOPIC_NAME_INVALID, Mqtt5PubAckReasonCode.PAYLOAD_FORMAT_INVALID);

  /** MQTT's keep-alive has whole seconds. */
  private static final int LEAST_KEEP_ALIVE_SECONDS = 5;

  private final MqttOptions options;
  private final Duration timeout;
  private final MqttClientTransportConfig transport;

  /** The same for each connection, so that the broker ends one that is only half closed. */
  private final String clientId = "lastfix-notify-" + UUID.randomUUID();

  private @Nullable CompletableFuture<Mqtt5AsyncClient> connection;

  /**
   * Connects to nothing yet.
   *
   * @param timeout of an attempt, connecting included
   * @throws IllegalStateException for the user: the broker's certificates cannot be used
   */
  public MqttReceiver(MqttOptions options, Duration timeout) {
    this.options = options;
    this.timeout = timeout;
    MqttClientTransportConfigBuilder builder =
        MqttClientTransportConfig.builder()
            .serverHost(options.broker().host())
            .serverPort(options.broker().port())
            .socketConnectTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .mqttConnectTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    transport = (options.broker().tls() ? builder.sslConfig(tls(options.ca())) : builder).build();
  }

  private static MqttClientSslConfig tls(@Nullable Path ca) {
    return ca == null
        ? MqttClientSslConfig.builder().build()
        : MqttClientSslConfig.builder()
            .trustManagerFactory(TrustedAuthorities.of(ca, "mqtt.tls.ca"))
            .build();
  }

  @Override
  public String name() {
    return "mqtt";
  }

  @Override
  public boolean takes(Action action) {
    return action.kind() == Action.Kind.MQTT;
  }

  @Override
  public CompletableFuture<Outcome> deliver(Alert alert, Action action) {
    // Topics that begin with $ control some brokers.
    if (action.target().startsWith("$") || !action.target().startsWith(options.topicPrefix())) {
      return CompletableFuture.completedFuture(
          new Outcome.Refused("a topic that mqtt.topic-prefix does not allow"));
    }
    Mqtt5Publish message;
    try {
      message =
          Mqtt5Publish.builder()
              .topic(action.target())
              .qos(MqttQos.AT_LEAST_ONCE)
              .contentType("application/json")
              .payload(AlertCodec.value(alert))
              .build();
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(
          new Outcome.Refused("a topic that MQTT does not allow"));
    }
    CompletableFuture<Mqtt5AsyncClient> used = connection();
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    var unused =
        used.thenCompose(client -> client.publish(message))
            .whenComplete(
                (result, failure) ->
                    outcome.complete(
                        failure == null ? new Outcome.Delivered() : ofFailure(failure)));
    String late = "no acknowledgement within %d ms".formatted(timeout.toMillis());
    return outcome
        .completeOnTimeout(new Outcome.Failed(late), timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (done, none) -> {
              if (done instanceof Outcome.Failed failed && failed.reason().equals(late)) {
                end(used);
              }
            });
  }

  private synchronized CompletableFuture<Mqtt5AsyncClient> connection() {
    CompletableFuture<Mqtt5AsyncClient> known = connection;
    if (known != null && isUsable(known)) {
      return known;
    }
    Mqtt5AsyncClient client =
        MqttClient.builder()
            .useMqttVersion5()
            .identifier(clientId)
            .transportConfig(transport)
            .buildAsync();
    CompletableFuture<Mqtt5AsyncClient> made =
        client.connect(connect()).thenApply(granted -> client);
    connection = made;
    return made;
  }

  private static boolean isUsable(CompletableFuture<Mqtt5AsyncClient> connection) {
    return !connection.isDone()
        || (!connection.isCompletedExceptionally() && connection.join().getState().isConnected());
  }

  private Mqtt5Connect connect() {
    MqttOptions.Login login = options.login();
    return Mqtt5Connect.builder()
        .keepAlive((int) Math.max(LEAST_KEEP_ALIVE_SECONDS, timeout.toSeconds()))
        .simpleAuth(
            login == null
                ? null
                : Mqtt5SimpleAuth.builder()
                    .username(login.user())
                    .password(login.password().getBytes(UTF_8))
                    .build())
        .build();
  }

  private Outcome ofFailure(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof Mqtt5PubAckException refused) {
      Mqtt5PubAckReasonCode code = refused.getMqttMessage().getReasonCode();
      String reason =
          "the broker's answer was " + code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      return FINAL.contains(code) ? new Outcome.Refused(reason) : new Outcome.Failed(reason);
    }
    return new Outcome.Failed(
        "the MQTT broker at %s: %s".formatted(options.broker(), RootCause.message(cause)));
  }

  private void end(CompletableFuture<Mqtt5AsyncClient> ended) {
    synchronized (this) {
      if (connection == ended) {
        connection = null;
      }
    }
    // Also once it is connected after all.
    var unused = ended.thenCompose(client -> client.disconnect());
  }

  @Override
  public void close() {
    CompletableFuture<Mqtt5AsyncClient> open;
    synchronized (this) {
      open = connection;
    }
    if (open != null) {
      end(open);
    }
  }
}
