package io.lastfix.gateway.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientExecutorConfig;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttClientDisconnectedContext;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.MqttOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the broker, with a client of its own that is thrown away with it.
 *
 * <p>HiveMQ's client keeps the order of acknowledgements, so one message without an acknowledgement
 * holds back all later ones. A broker repeats a message only on a new connection, and the client
 * mixes up repeated messages with those that it still has. So a connection ends with the first
 * message that Kafka does not take, and the next one starts from what the broker knows.
 *
 * <p>Messages arrive on the one thread of the client's event loop. While {@link MqttHandler} lets
 * it wait, nothing is read from the socket.
 */
final class MqttConnection {
  private static final Logger LOG = LoggerFactory.getLogger(MqttConnection.class);

  /** The longest wait for each answer of the broker. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  /** Added to the longest wait for the budget, during which the client sends no ping. */
  private static final Duration KEEP_ALIVE_MARGIN = Duration.ofSeconds(20);

  /** The largest packet, in relation to limits.max-bytes: what is larger is counted as refused. */
  private static final int PACKET_FACTOR = 2;

  private static final int PACKET_OVERHEAD_BYTES = 64 * 1024;

  private final MqttOptions options;
  private final MqttHandler handler;
  private final InstantSource clock;
  private final int maxPacketBytes;
  private final Duration keepAlive;
  private final Mqtt5AsyncClient client;
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private volatile boolean wasOfUse;
  private volatile boolean wasTakenOver;
  private volatile boolean isIgnoring;

  /**
   * A connection that is not open yet.
   *
   * @param maxBytes of a message's content
   * @param longestWait of the handler for its budget
   */
  MqttConnection(
      MqttOptions options,
      @Nullable MqttClientSslConfig tls,
      int maxBytes,
      Duration longestWait,
      MqttHandler handler,
      InstantSource clock) {
    this.options = options;
    this.handler = handler;
    this.clock = clock;
    keepAlive = longestWait.plus(KEEP_ALIVE_MARGIN);
    maxPacketBytes = PACKET_FACTOR * maxBytes + PACKET_OVERHEAD_BYTES;
    Mqtt5ClientBuilder builder =
        MqttClient.builder()
            .useMqttVersion5()
            .identifier(options.session().clientId())
            .serverHost(options.broker().host())
            .serverPort(options.broker().port())
            .executorConfig(
                MqttClientExecutorConfig.builder()
                    .nettyExecutor(task -> thread(task).start())
                    .nettyThreads(1)
                    .build())
            .addConnectedListener(context -> endIfTooLate())
            .addDisconnectedListener(this::onDisconnected);
    client = (tls == null ? builder : builder.sslConfig(tls)).buildAsync();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "mqtt");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Connects and subscribes.
   *
   * @return whether the broker knew the session, and so may have held messages
   * @throws BrokerException if the broker does not answer, or does not grant what is needed; the
   *     connection is closed then
   */
  boolean open() throws BrokerException, InterruptedException {
    try {
      // Before it connects: the broker delivers what it has held at once, and the client would
      // acknowledge messages that nobody takes.
      client.publishes(MqttGlobalPublishFilter.ALL, this::onPublish, Runnable::run, true);
      Mqtt5ConnAck granted = await("connect", client.connect(connect()));
      check(granted);
      subscribe(granted.isSessionPresent());
      return granted.isSessionPresent();
    } catch (BrokerException | InterruptedException | RuntimeException e) {
      abandon("not usable");
      throw e;
    }
  }

  /** An answer after the limit: messages would arrive on a connection that takes none. */
  private void endIfTooLate() {
    if (end.isDone()) {
      var unused = disconnect();
    }
  }

  private Mqtt5Connect connect() {
    MqttOptions.Login login = options.login();
    return Mqtt5Connect.builder()
        .cleanStart(false)
        .sessionExpiryInterval(options.session().expiry().toSeconds())
        .keepAlive((int) keepAlive.toSeconds())
        .restrictions(
            Mqtt5ConnectRestrictions.builder()
                .receiveMaximum(options.session().receiveMaximum())
                .maximumPacketSize(maxPacketBytes)
                .build())
        .simpleAuth(
            login == null
                ? null
                : Mqtt5SimpleAuth.builder()
                    .username(login.user())
                    .password(login.password().getBytes(UTF_8))
                    .build())
        .build();
  }

  private void check(Mqtt5ConnAck granted) throws BrokerException {
    if (!granted.getRestrictions().isSharedSubscriptionAvailable()) {
      throw refusal("has no shared subscriptions: allow them");
    }
    if (!granted.getRestrictions().isWildcardSubscriptionAvailable()) {
      throw refusal("has no subscriptions with wildcards: allow them");
    }
    long wanted = options.session().expiry().toSeconds();
    long expiry = granted.getSessionExpiryInterval().orElse(wanted);
    if (expiry < wanted) {
      throw refusal(
          "keeps a session for %d s only: raise that to %d s there, or lower mqtt.session-expiry"
              .formatted(expiry, wanted));
    }
  }

  private void subscribe(boolean isResumed) throws BrokerException, InterruptedException {
    List<String> filters = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    (options.records() == AccessMode.CLOSED ? unused : filters).add(MqttTopic.DEVICES_FILTER);
    (options.owntracks() == AccessMode.CLOSED ? unused : filters).add(MqttTopic.OWNTRACKS_FILTER);
    for (String filter : filters) {
      Mqtt5SubAck answer =
          await(
              "subscribe",
              client.subscribe(
                  Mqtt5Subscribe.builder()
                      .addSubscription(
                          Mqtt5Subscription.builder()
                              .topicFilter(filter)
                              .qos(MqttQos.AT_LEAST_ONCE)
                              .build())
                      .build()));
      check(filter, answer);
    }
    if (isResumed) {
      for (String filter : unused) {
        unsubscribe(filter);
      }
    }
  }

  /** The session may have it from an earlier configuration. */
  private void unsubscribe(String filter) {
    var unused =
        client
            .unsubscribeWith()
            .topicFilter(filter)
            .send()
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    LOG.warn(
                        "the MQTT broker at {} does not unsubscribe from {}, so its messages are"
                            + " refused as closed: {}",
                        options.broker(),
                        filter,
                        reason(failure));
                  }
                });
  }

  private void check(String filter, Mqtt5SubAck answer) throws BrokerException {
    for (Mqtt5SubAckReasonCode code : answer.getReasonCodes()) {
      if (code == Mqtt5SubAckReasonCode.GRANTED_QOS_0) {
        throw refusal("grants only QoS 0 for %s: allow QoS 1".formatted(filter));
      }
      if (code.isError()) {
        throw refusal(
            "does not let client '%s' subscribe to %s (%s): allow it"
                .formatted(options.session().clientId(), filter, words(code)));
      }
    }
  }

  private BrokerException refusal(String what) {
    return BrokerException.refusal("the MQTT broker at %s %s".formatted(options.broker(), what));
  }

  private static String words(Enum<?> code) {
    return code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private <T> T await(String what, CompletableFuture<T> answer)
      throws BrokerException, InterruptedException {
    try {
      return answer.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof Mqtt5ConnAckException refused) {
        throw ofConnAck(refused);
      }
      if (cause instanceof Mqtt5SubAckException refused) {
        check("its topics", refused.getMqttMessage());
      }
      throw BrokerException.away(
          "the MQTT broker at %s does not %s: %s".formatted(options.broker(), what, reason(cause)),
          cause);
    } catch (TimeoutException e) {
      throw BrokerException.away(
          "the MQTT broker at %s does not %s within %d s"
              .formatted(options.broker(), what, ANSWER_LIMIT.toSeconds()),
          e);
    }
  }

  private BrokerException ofConnAck(Mqtt5ConnAckException refused) {
    Mqtt5ConnAckReasonCode code = refused.getMqttMessage().getReasonCode();
    return switch (code) {
      case SERVER_UNAVAILABLE, SERVER_BUSY, USE_ANOTHER_SERVER, CONNECTION_RATE_EXCEEDED ->
          BrokerException.away(
              "the MQTT broker at %s does not connect: %s".formatted(options.broker(), words(code)),
              refused);
      case BAD_USER_NAME_OR_PASSWORD, NOT_AUTHORIZED ->
          refusal(
              "does not accept client '%s' (%s): check mqtt.user, mqtt.password and the broker's list"
                  .formatted(options.session().clientId(), words(code)));
      case UNSUPPORTED_PROTOCOL_VERSION -> refusal("does not speak MQTT 5");
      default -> refusal("refuses the connection: " + words(code));
    };
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  private void onDisconnected(MqttClientDisconnectedContext context) {
    Throwable cause = context.getCause();
    boolean isTakenOver =
        cause instanceof Mqtt5DisconnectException disconnect
            && disconnect.getMqttMessage().getReasonCode()
                == Mqtt5DisconnectReasonCode.SESSION_TAKEN_OVER;
    if (isTakenOver) {
      wasTakenOver = true;
    }
    ended(
        isTakenOver
            ? "another client has connected as '%s': give each gateway its own mqtt.client-id"
                .formatted(options.session().clientId())
            : "the MQTT broker at %s has ended the connection: %s"
                .formatted(options.broker(), reason(cause)));
  }

  private void ended(String reason) {
    isIgnoring = true;
    end.complete(reason);
  }

  /** On the event loop. */
  private void onPublish(Mqtt5Publish publish) {
    // The broker delivers what comes now to the next connection, or to another gateway.
    if (isIgnoring) {
      return;
    }
    try {
      handler.handle(message(publish), new Incoming(publish));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      abandon("interrupted");
    } catch (RuntimeException | Error e) {
      LOG.error("cannot handle a message; the broker will deliver it again", e);
      abandon("a message could not be handled: " + e.getClass().getSimpleName());
    }
  }

  private MqttMessage message(Mqtt5Publish publish) {
    List<Map.Entry<String, String>> properties = new ArrayList<>();
    publish
        .getUserProperties()
        .asList()
        .forEach(
            property ->
                properties.add(
                    Map.entry(property.getName().toString(), property.getValue().toString())));
    return new MqttMessage(
        publish.getTopic().toString(),
        publish.getPayloadAsBytes(),
        publish.getContentType().map(Object::toString).orElse(null),
        properties,
        clock.instant());
  }

  /** One message of this connection. */
  private final class Incoming implements MqttHandler.Delivery {
    private final Mqtt5Publish publish;

    private Incoming(Mqtt5Publish publish) {
      this.publish = publish;
    }

    @Override
    public void acknowledge() {
      if (end.isDone()) {
        // The broker has no more use for it: it delivers the message again.
        return;
      }
      wasOfUse = true;
      try {
        publish.acknowledge();
      } catch (RejectedExecutionException e) {
        LOG.debug("the connection ended before an acknowledgement", e);
      }
    }

    @Override
    public void abandon(String reason) {
      MqttConnection.this.abandon(reason);
    }

    @Override
    public boolean isEnding() {
      return isIgnoring;
    }
  }

  /**
   * Whether any message was decided, so that the next connection may follow at once. Not if another
   * client took the session: both would take it from each other for ever.
   */
  boolean wasOfUse() {
    return wasOfUse && !wasTakenOver;
  }

  /** Waits for the end of the connection and returns its reason. */
  String awaitEnd() throws InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an end has no failure", e);
    }
  }

  /** Ends the connection; the broker delivers again what was not acknowledged. */
  void abandon(String reason) {
    ended(reason);
    var unused = disconnect();
  }

  private CompletableFuture<Void> disconnect() {
    return client
        .disconnect()
        .handle(
            (done, failure) -> {
              if (failure != null) {
                // It never was connected, or the broker was faster.
                LOG.debug("no disconnect: {}", failure.getMessage());
              }
              return null;
            });
  }

  /** Takes no further messages; those taken are still acknowledged. */
  void ignoreNew() {
    isIgnoring = true;
  }

  /** Ends the connection after the acknowledgements so far. */
  void close() throws InterruptedException {
    isIgnoring = true;
    try {
      disconnect().get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the MQTT broker at {} was not told of the end", options.broker(), e);
    }
    ended("the gateway stops");
  }
}
