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
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAckReasonCode;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.MqttOptions;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.kit.failure.RootCause;
import io.reactivex.disposables.Disposable;
import io.reactivex.disposables.Disposables;
import io.reactivex.schedulers.Schedulers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the broker, with a client of its own that is thrown away with it.
 *
 * <p>HiveMQ's client keeps the order of acknowledgements, so one message without an acknowledgement
 * holds back all later ones. A broker repeats a message only on a new connection, and the client
 * mixes up repeated messages with those that it still has. So a connection ends with the first
 * message that Kafka does not take, and the next one starts from the broker's state. It takes
 * nothing new then, but waits for the messages before that one: otherwise they would be stored, and
 * counted, once more.
 *
 * <p>A {@link DeliveryWatch} for each subscription ends a connection on which the broker delivers
 * nothing.
 *
 * <p>Messages arrive on the one thread of the client's event loop. While {@link MqttHandler} lets
 * it wait, nothing is read from the socket. The thread ends with the connection: the client keeps
 * its messages for the session's expiry otherwise, with a timer on that thread.
 */
final class MqttConnection {
  private static final Logger LOG = LoggerFactory.getLogger(MqttConnection.class);

  /** The longest wait for each answer of the broker, from the last message that was handled. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  /** Added to the longest wait for the budget, during which the client sends no ping. */
  private static final Duration KEEP_ALIVE_MARGIN = Duration.ofSeconds(20);

  /** MQTT has 16 bits for it. */
  private static final int MAX_KEEP_ALIVE_SECONDS = 65_535;

  /** The largest packet, in relation to limits.max-bytes: what is larger is counted as refused. */
  private static final int PACKET_FACTOR = 2;

  private static final int PACKET_OVERHEAD_BYTES = 64 * 1024;

  private static final Duration STEP = Duration.ofMillis(100);

  /** How often the watches are looked at, in relation to their interval. */
  private static final int WATCH_PART = 60;

  /** Of probes of other gateways, at a time. */
  private static final int MAX_ANSWERS = 100;

  private final MqttOptions options;
  private final String gatewayName;
  private final ClientId clientId;
  private final MqttHandler handler;
  private final InstantSource clock;
  private final int maxPacketBytes;
  private final Duration keepAlive;
  private final Mqtt5AsyncClient client;
  private final Duration longestWait;

  /** The reason, once no further messages are taken. */
  private final CompletableFuture<String> ending = new CompletableFuture<>();

  /** Done once no further acknowledgement can be sent. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** Without an answer of the broker. The client keeps them for its next connection. */
  private final List<CompletableFuture<?>> questions = new CopyOnWriteArrayList<>();

  /** Topics of answers to other gateways' probes that the broker has not taken yet. */
  private final Set<String> answers = ConcurrentHashMap.newKeySet();

  /** Of the subscriptions, by their filters. */
  private final Map<String, DeliveryWatch> watches = new LinkedHashMap<>();

  /** Messages in the order of their arrival, without those that the client has let go. */
  private final Deque<Incoming> kept = new ArrayDeque<>();

  /** At the last look at the watches: the first message that waited for Kafka. */
  private @Nullable Incoming waiting;

  /** At the last look at the watches: {@link #handledNanos}; null: no message was being handled. */
  private @Nullable Long handling;

  private volatile Disposable flow = Disposables.disposed();
  private final AtomicBoolean isLeaving = new AtomicBoolean();
  private volatile boolean isHandling;
  private volatile long handledNanos = System.nanoTime();
  private volatile boolean wasOfUse;
  private volatile boolean wasTakenOver;
  private volatile boolean isSilent;
  private volatile boolean isIgnoring;

  /**
   * A connection that is not open yet.
   *
   * @param clientId the session's name
   */
  MqttConnection(
      MqttOptions options,
      ClientId clientId,
      @Nullable MqttClientSslConfig tls,
      RecordServices services,
      MqttHandler handler) {
    this.options = options;
    this.clientId = clientId;
    gatewayName = clientId.publicName();
    this.handler = handler;
    clock = services.clock();
    longestWait = services.longestAnswer();
    keepAlive = longestWait.plus(KEEP_ALIVE_MARGIN);
    maxPacketBytes = PACKET_FACTOR * services.limits().maxBytes() + PACKET_OVERHEAD_BYTES;
    Mqtt5ClientBuilder builder =
        MqttClient.builder()
            .useMqttVersion5()
            .identifier(clientId.value())
            .serverHost(options.broker().host())
            .serverPort(options.broker().port())
            .executorConfig(
                MqttClientExecutorConfig.builder()
                    .nettyExecutor(new OwnThread())
                    .nettyThreads(1)
                    .applicationScheduler(Schedulers.from(Runnable::run))
                    .build())
            .addConnectedListener(context -> endIfTooLate())
            .addDisconnectedListener(this::onDisconnected);
    client = (tls == null ? builder : builder.sslConfig(tls)).buildAsync();
    if (options.records() != AccessMode.CLOSED) {
      watch(MqttTopic.DEVICES_FILTER, false);
    }
    if (options.owntracks() != AccessMode.CLOSED) {
      watch(MqttTopic.OWNTRACKS_FILTER, true);
    }
  }

  private void watch(String filter, boolean isOwnTracks) {
    watches.put(
        filter,
        new DeliveryWatch(
            MqttTopic.probe(isOwnTracks, gatewayName),
            options.session().probeInterval(),
            System::nanoTime));
  }

  /** Clients with equal executors share an event loop, which ends with the last of them. */
  private static final class OwnThread implements Executor {
    @Override
    public void execute(Runnable task) {
      Thread thread = new Thread(task, "mqtt");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * Connects, subscribes, and publishes the first probes.
   *
   * @return whether the broker knew the session, and so may have held messages
   * @throws BrokerException if the broker does not answer, or does not grant what is needed; the
   *     connection is closed then
   */
  boolean open() throws BrokerException, InterruptedException {
    try {
      // Before it connects: the broker delivers held messages at once. Without a subscriber, the
      // client would acknowledge and drop them.
      flow =
          client
              .toRx()
              .publishes(MqttGlobalPublishFilter.ALL, true)
              .subscribe(
                  this::onPublish,
                  failure ->
                      LOG.debug("the flow of messages has ended: {}", RootCause.message(failure)));
      Mqtt5ConnAck granted = await("connect", client.connect(connect()));
      check(granted);
      subscribe(granted.isSessionPresent());
      return granted.isSessionPresent();
    } catch (BrokerException | InterruptedException | RuntimeException e) {
      var unused = end("not usable");
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
        .keepAlive((int) Math.min(MAX_KEEP_ALIVE_SECONDS, keepAlive.toSeconds()))
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
    for (String filter : watches.keySet()) {
      subscribe(filter);
    }
    // Of probes that another gateway takes.
    subscribe(MqttTopic.ANSWERS + gatewayName + "/+");
    if (isResumed) {
      for (String filter : List.of(MqttTopic.DEVICES_FILTER, MqttTopic.OWNTRACKS_FILTER)) {
        if (!watches.containsKey(filter)) {
          unsubscribe(filter);
        }
      }
    }
    for (DeliveryWatch watch : watches.values()) {
      watch.restart();
      if (watch.takeProbe()) {
        var unused = await("take a probe", probe(watch.probe()));
      }
    }
  }

  private void subscribe(String filter) throws BrokerException, InterruptedException {
    Mqtt5SubAck answer =
        await(
            "subscribe",
            ask(
                client.subscribe(
                    Mqtt5Subscribe.builder()
                        .addSubscription(
                            Mqtt5Subscription.builder()
                                .topicFilter(filter)
                                .qos(MqttQos.AT_LEAST_ONCE)
                                .build())
                        .build())));
    check(filter, answer);
  }

  /** Publishes a probe, or the answer to one; the broker drops it if it is of no more use. */
  private CompletableFuture<Mqtt5PublishResult> probe(String topic) {
    long expirySeconds = Math.max(1, options.session().probeInterval().toSeconds());
    return ask(
        client.publish(
            Mqtt5Publish.builder()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .messageExpiryInterval(expirySeconds)
                .build()));
  }

  /** The session may have it from an earlier configuration. */
  private void unsubscribe(String filter) {
    var unused =
        ask(client.unsubscribeWith().topicFilter(filter).send())
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    LOG.warn(
                        "the MQTT broker at {} does not unsubscribe from {}, so its messages are"
                            + " refused as closed: {}",
                        options.broker(),
                        filter,
                        RootCause.message(failure));
                  }
                });
  }

  /** Remembers a question that has no answer any more if the connection ends. */
  private <T> CompletableFuture<T> ask(CompletableFuture<T> question) {
    questions.removeIf(CompletableFuture::isDone);
    questions.add(question);
    if (end.isDone()) {
      question.cancel(false);
    }
    return question;
  }

  private void check(String filter, Mqtt5SubAck answer) throws BrokerException {
    for (Mqtt5SubAckReasonCode code : answer.getReasonCodes()) {
      if (code == Mqtt5SubAckReasonCode.GRANTED_QOS_0) {
        throw refusal("grants only QoS 0 for %s: allow QoS 1".formatted(filter));
      }
      if (code.isError()) {
        throw refusal(
            "does not let %s subscribe to %s (%s): allow it"
                .formatted(user(), filter, words(code)));
      }
    }
  }

  private BrokerException refusal(String what) {
    return BrokerException.refusal("the MQTT broker at %s %s".formatted(options.broker(), what));
  }

  /** Returns the name under which the broker lists this gateway. */
  private String user() {
    MqttOptions.Login login = options.login();
    return login == null ? "this gateway" : "user '%s'".formatted(login.user());
  }

  private static String words(Enum<?> code) {
    return code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private <T> T await(String what, CompletableFuture<T> answer)
      throws BrokerException, InterruptedException {
    try {
      return whenAnswered(answer);
    } catch (CancellationException e) {
      throw BrokerException.away(ending.getNow("the connection has ended"), e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof Mqtt5ConnAckException refused) {
        throw ofConnAck(refused);
      }
      if (cause instanceof Mqtt5SubAckException refused) {
        check("its topics", refused.getMqttMessage());
      }
      if (cause instanceof Mqtt5PubAckException refused) {
        throw refusal(
            "does not let %s publish to %s (%s): allow it, because probes find out whether the broker delivers"
                .formatted(
                    user(),
                    watches.values().stream()
                        .map(watch -> watch.probe().replace(gatewayName, "+"))
                        .collect(Collectors.joining(" and ")),
                    words(refused.getMqttMessage().getReasonCode())));
      }
      throw BrokerException.away(
          "the MQTT broker at %s does not %s: %s"
              .formatted(options.broker(), what, RootCause.message(cause)),
          cause);
    } catch (TimeoutException e) {
      throw BrokerException.away(
          "the MQTT broker at %s does not %s within %d s"
              .formatted(options.broker(), what, ANSWER_LIMIT.toSeconds()),
          e);
    }
  }

  /**
   * Waits while messages are handled, too: the broker delivers what it has held before it answers,
   * and the handler lets the client's thread wait for its budget.
   */
  private <T> T whenAnswered(CompletableFuture<T> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    handledNanos = System.nanoTime();
    while (true) {
      long restNanos = handledNanos + ANSWER_LIMIT.toNanos() - System.nanoTime();
      boolean isLast = !isHandling && restNanos <= STEP.toNanos();
      try {
        return answer.get(isLast ? restNanos : STEP.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (isLast && !isHandling && handledNanos + ANSWER_LIMIT.toNanos() <= System.nanoTime()) {
          throw e;
        }
      }
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
              "does not accept %s (%s): check mqtt.user, mqtt.password and the broker's list"
                  .formatted(user(), words(code)));
      case UNSUPPORTED_PROTOCOL_VERSION -> refusal("does not speak MQTT 5");
      default -> refusal("refuses the connection: " + words(code));
    };
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
            ? "another client has taken over the session, with %s: what the broker held may be lost"
                .formatted(clientId)
            : "the MQTT broker at %s has ended the connection: %s"
                .formatted(options.broker(), RootCause.message(cause)));
  }

  /** Only after the client has disconnected: without a flow it acknowledges what it is given. */
  private void ended(String reason) {
    isIgnoring = true;
    ending.complete(reason);
    end.complete(null);
    flow.dispose();
    // These would keep the client's thread.
    questions.forEach(question -> question.cancel(false));
    release();
  }

  /** On the event loop. */
  private void onPublish(Mqtt5Publish publish) {
    // The broker delivers what comes now to the next connection, or to another gateway.
    if (isIgnoring) {
      return;
    }
    String topic = publish.getTopic().toString();
    if (topic.startsWith(MqttTopic.ANSWERS)) {
      returned(topic);
      publish.acknowledge();
      return;
    }
    if (topic.contains(MqttTopic.PROBE)
        && MqttTopic.parse(topic) instanceof MqttTopic.Probe probe) {
      publish.acknowledge();
      answer(topic, probe);
      return;
    }
    if (publish.getQos() != MqttQos.AT_MOST_ONCE) {
      watchOf(topic).ifPresent(DeliveryWatch::delivered);
    }
    Incoming incoming = new Incoming(publish);
    synchronized (kept) {
      kept.add(incoming);
    }
    isHandling = true;
    try {
      handler.handle(message(publish), incoming);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      incoming.abandon("interrupted");
    } catch (RuntimeException | Error e) {
      LOG.error("cannot handle a message; the broker will deliver it again", e);
      incoming.abandon("a message could not be handled: " + e.getClass().getSimpleName());
    } finally {
      handledNanos = System.nanoTime();
      isHandling = false;
    }
  }

  private Optional<DeliveryWatch> watchOf(String topic) {
    return Optional.ofNullable(
        watches.get(
            topic.startsWith(MqttTopic.OWNTRACKS + "/")
                ? MqttTopic.OWNTRACKS_FILTER
                : MqttTopic.DEVICES_FILTER));
  }

  /** The subscription is shared, so the broker may give one gateway's probe to another. */
  private void answer(String topic, MqttTopic.Probe probe) {
    if (probe.gateway().equals(gatewayName)) {
      watchOf(topic).ifPresent(DeliveryWatch::returned);
    } else {
      watchOf(topic).ifPresent(DeliveryWatch::delivered);
      String answer = probe.answer();
      // A client that may publish could name any number of gateways, at any rate.
      if (answers.size() < MAX_ANSWERS && answers.add(answer)) {
        var unused = probe(answer).whenComplete((taken, failure) -> answers.remove(answer));
      }
    }
  }

  /** By the answer's last level. */
  private void returned(String answer) {
    watchOf(answer.substring(answer.lastIndexOf('/') + 1) + "/").ifPresent(DeliveryWatch::returned);
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

  /** One message of this connection. Its state is guarded by {@link #kept}. */
  private final class Incoming implements MqttHandler.Delivery {
    private final Mqtt5Publish publish;
    private final List<Runnable> releases = new ArrayList<>(1);
    private boolean isDecided;
    private boolean isAbandoned;

    private Incoming(Mqtt5Publish publish) {
      this.publish = publish;
    }

    @Override
    public void acknowledge() {
      if (!end.isDone()) {
        wasOfUse = true;
        try {
          publish.acknowledge();
        } catch (RejectedExecutionException e) {
          LOG.debug("the connection ended before an acknowledgement", e);
        }
      }
      decided(false);
    }

    @Override
    public void abandon(String reason) {
      isIgnoring = true;
      ending.complete(reason);
      decided(true);
    }

    private void decided(boolean abandoned) {
      synchronized (kept) {
        isDecided = true;
        isAbandoned |= abandoned;
      }
      release();
    }

    @Override
    public void whenReleased(Runnable release) {
      synchronized (kept) {
        releases.add(release);
      }
    }

    @Override
    public boolean isEnding() {
      return isIgnoring;
    }
  }

  /**
   * Releases the messages that the client no longer keeps: those without an undecided one before
   * them, or at the end all that are decided. Ends the connection once an abandoned one is the
   * first.
   */
  private void release() {
    List<Runnable> releases = new ArrayList<>();
    boolean isEnd = false;
    synchronized (kept) {
      if (end.isDone()) {
        for (Incoming incoming : kept) {
          if (incoming.isDecided) {
            releases.addAll(incoming.releases);
          }
        }
        kept.removeIf(incoming -> incoming.isDecided);
      }
      for (Incoming first = kept.peek();
          first != null && first.isDecided && !first.isAbandoned;
          first = kept.peek()) {
        releases.addAll(first.releases);
        kept.remove();
      }
      Incoming first = kept.peek();
      isEnd = first != null && first.isAbandoned;
    }
    releases.forEach(Runnable::run);
    if (isEnd && isLeaving.compareAndSet(false, true)) {
      var unused = disconnect();
    }
  }

  /**
   * Whether any message was decided, so that the next connection may follow at once. Not if another
   * client took the session: both would take it from each other for ever.
   */
  boolean wasOfUse() {
    return wasOfUse && !wasTakenOver;
  }

  /** Whether another client has taken over the session. */
  boolean wasTakenOver() {
    return wasTakenOver;
  }

  /** Whether it has ended because the broker delivered nothing, not even a probe. */
  boolean isSilent() {
    return isSilent;
  }

  /** Whether each subscription has delivered anything. */
  boolean hasDelivered() {
    return watches.values().stream().allMatch(DeliveryWatch::hasDelivered);
  }

  /** Whether any subscription has delivered anything. */
  boolean hasDeliveredAny() {
    return watches.values().stream().anyMatch(DeliveryWatch::hasDelivered);
  }

  /** Whether any subscription has delivered a probe. */
  boolean isProvenAny() {
    return watches.values().stream().anyMatch(DeliveryWatch::isProven);
  }

  /** Whether each subscription has delivered a probe. */
  boolean isProven() {
    return watches.values().stream().allMatch(DeliveryWatch::isProven);
  }

  /**
   * Waits for the end of the connection and returns its reason. Messages before an abandoned one
   * have their answers of Kafka by then, or the longest wait for them has passed.
   */
  String awaitEnd() throws InterruptedException {
    try {
      String reason = awaitReason();
      if (isSilent || !isDoneWithin(longestWait.plus(ANSWER_LIMIT))) {
        var unused = end(reason);
      }
      return reason;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an end has no failure", e);
    }
  }

  private String awaitReason() throws InterruptedException, ExecutionException {
    Duration step = options.session().probeInterval().dividedBy(WATCH_PART);
    while (true) {
      try {
        return ending.get(step.toMillis() + 1, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        watch();
      }
    }
  }

  private void watch() {
    if (isIgnoring) {
      return;
    }
    if (isHeldUp()) {
      watches.values().forEach(DeliveryWatch::restart);
      return;
    }
    for (DeliveryWatch watch : watches.values()) {
      if (watch.isOverdue()) {
        isSilent = true;
        ending.complete(
            "the MQTT broker at %s delivers nothing, not even the gateway's own probe"
                .formatted(options.broker()));
      } else if (watch.takeProbe()) {
        var unused =
            probe(watch.probe())
                .whenComplete(
                    (answer, failure) -> {
                      if (failure != null) {
                        LOG.debug(
                            "the broker has not taken a probe: {}", RootCause.message(failure));
                      }
                    });
      }
    }
  }

  /**
   * Whether since the last look no message was taken, or none was acknowledged: then the broker may
   * deliver no more. That some message is under way is no reason: under steady traffic one always
   * is. What has QoS 0 is none, since the broker delivers it without a limit.
   */
  private boolean isHeldUp() {
    Incoming first;
    synchronized (kept) {
      first =
          kept.stream()
              .filter(message -> message.publish.getQos() != MqttQos.AT_MOST_ONCE)
              .findFirst()
              .orElse(null);
    }
    Long now = isHandling ? Long.valueOf(handledNanos) : null;
    boolean isHeldUp = (first != null && first == waiting) || (now != null && now.equals(handling));
    waiting = first;
    handling = now;
    return isHeldUp;
  }

  private boolean isDoneWithin(Duration longest) throws InterruptedException, ExecutionException {
    try {
      end.get(longest.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      LOG.warn(
          "the MQTT connection did not end within {} s; it is ended now", longest.toSeconds(), e);
      return false;
    }
  }

  /** Ends the connection at once; the broker delivers again what was not acknowledged. */
  private CompletableFuture<Void> end(String reason) {
    isIgnoring = true;
    ending.complete(reason);
    end.complete(null);
    CompletableFuture<Void> done = disconnect();
    release();
    return done;
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
    try {
      end("the gateway stops").get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the MQTT broker at {} was not told of the end", options.broker(), e);
    }
  }
}
