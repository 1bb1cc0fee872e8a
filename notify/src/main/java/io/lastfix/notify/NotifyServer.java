package io.lastfix.notify;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.KafkaWatch;
import io.lastfix.kit.kafka.TopicRule;
import io.lastfix.kit.kafka.Topics;
import io.lastfix.kit.kafka.WantedTopic;
import io.lastfix.notify.StateServer.Answer;
import io.lastfix.notify.config.AlertmanagerOptions;
import io.lastfix.notify.config.KafkaOptions;
import io.lastfix.notify.config.MqttOptions;
import io.lastfix.notify.delivery.Lane;
import io.lastfix.notify.delivery.StartOffsets;
import io.lastfix.notify.metrics.NotifyMetrics;
import io.lastfix.notify.receiver.AlertmanagerReceiver;
import io.lastfix.notify.receiver.HttpSender;
import io.lastfix.notify.receiver.MqttReceiver;
import io.lastfix.notify.receiver.Receiver;
import io.lastfix.notify.receiver.UnconfiguredReceiver;
import io.lastfix.notify.receiver.WebhookReceiver;
import io.lastfix.notify.undelivered.UndeliveredTopic;
import io.lastfix.rules.alert.AlertTopics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server of alerts: a lane for each receiver, and the HTTP server of their state. */
public final class NotifyServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NotifyServer.class);
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(2);
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Lane> lanes = new ArrayList<>();

  /** In the order of their start; they end in the other one. */
  private final List<AutoCloseable> parts = new ArrayList<>();

  private final AtomicBoolean isStopping = new AtomicBoolean();
  private final StateServer http;

  /**
   * Checks Kafka's topics, then starts to deliver.
   *
   * @throws IllegalStateException for the user: Kafka does not answer, a topic is missing, the port
   *     is taken
   */
  public static NotifyServer start(NotifyConfig config) {
    return new NotifyServer(config);
  }

  private NotifyServer(NotifyConfig config) {
    try {
      KafkaOptions kafka = config.kafka();
      Admin admin = Admin.create(adminProperties(kafka));
      parts.add(() -> admin.close(Duration.ofSeconds(1)));
      List<String> topics = List.of(kafka.alertsTopic(), kafka.undeliveredTopic());
      var unused =
          new Topics(admin, kafka.bootstrapServers(), kafka.startTimeout())
              .ensure(
                  List.of(
                      alertsTopic(kafka.alertsTopic(), config.delivery().retryFor()),
                      AlertTopics.undelivered(kafka.undeliveredTopic())),
                  new Topics.Creation(
                      kafka.createTopics(), kafka.partitions(), kafka.replication()),
                  ". Create them");
      // Watches over both, and closes the client.
      KafkaWatch watch = new KafkaWatch(admin, topics, WATCH_INTERVAL);
      parts.set(0, watch);
      UndeliveredTopic undelivered =
          UndeliveredTopic.connect(
              kafka.clientProperties(), kafka.undeliveredTopic(), AlertTopics.UNDELIVERED_BYTES);
      parts.add(undelivered);
      List<Receiver> receivers = receivers(config);
      parts.addAll(receivers);
      // Before the groups have offsets: a server that cannot start leaves none.
      http =
          new StateServer(
              config.http(),
              Map.of(
                  "/health", this::health,
                  "/ready", () -> ready(watch),
                  "/metrics", () -> new Answer(200, PROMETHEUS, registry.scrape())));
      parts.add(http);
      StartOffsets offsets = new StartOffsets(admin, kafka.bootstrapServers());
      receivers.forEach(it -> offsets.ensure(kafka.group(it.name()), kafka.alertsTopic()));
      NotifyMetrics metrics = new NotifyMetrics(registry);
      metrics.gauge(
          "kafka.ready",
          "1: Kafka answers, and each partition has a leader",
          () -> watch.problem().isEmpty() ? 1 : 0);
      for (Receiver receiver : receivers) {
        lanes.add(
            new Lane(
                receiver,
                config.delivery(),
                kafka.alertsTopic(),
                () -> Lane.consumer(kafka.clientProperties(), kafka.group(receiver.name())),
                undelivered,
                metrics,
                InstantSource.system()));
      }
      lanes.forEach(lane -> parts.add(lane.start()));
      http.start();
    } catch (KafkaException e) {
      end();
      throw new IllegalStateException(
          "Kafka's client does not accept the settings: %s; check kafka.bootstrap-servers and kafka.properties"
              .formatted(KafkaFailure.explain(e.getCause() == null ? e : e.getCause())),
          e);
    } catch (RuntimeException e) {
      end();
      throw e;
    }
    LOG.info(
        "delivers alerts to {}; its state is at http://{}:{}/ready",
        lanes.stream().map(Lane::name).collect(Collectors.joining(", ")),
        config.http().address(),
        port());
  }

  /** Kafka would delete alerts that were not given up yet. */
  static WantedTopic alertsTopic(String name, Duration retryFor) {
    WantedTopic alerts = AlertTopics.alerts(name);
    List<TopicRule> rules = new ArrayList<>(alerts.rules());
    rules.add(
        new TopicRule(
            TopicConfig.RETENTION_MS_CONFIG,
            Long.toString(retryFor.multipliedBy(2).toMillis()),
            // -1: alerts stay for ever.
            found -> !found.matches("\\d{1,18}") || Long.parseLong(found) > retryFor.toMillis(),
            "Topic %1$s has %2$s=%3$s, but alerts are tried for longer: shorten delivery.retry-for, or change the topic: %4$s"));
    return new WantedTopic(name, alerts.settings(), rules);
  }

  private static Map<String, Object> adminProperties(KafkaOptions kafka) {
    Map<String, Object> client = kafka.clientProperties();
    long millis = kafka.startTimeout().toMillis();
    client.put("client.id", "lastfix-notify-admin");
    client.put("reconnect.backoff.max.ms", "1000");
    client.put("default.api.timeout.ms", Long.toString(millis));
    client.put("request.timeout.ms", Long.toString(Math.min(millis, 30_000)));
    return client;
  }

  /** The last one takes what no other takes. */
  private static List<Receiver> receivers(NotifyConfig config) {
    InstantSource clock = InstantSource.system();
    Duration timeout = config.delivery().timeout();
    HttpSender sender = new HttpSender(timeout, clock);
    List<Receiver> receivers = new ArrayList<>();
    config
        .webhooks()
        .forEach(
            (name, options) -> receivers.add(new WebhookReceiver(name, options, sender, clock)));
    MqttOptions mqtt = config.mqtt();
    if (mqtt != null) {
      receivers.add(new MqttReceiver(mqtt, timeout));
    }
    AlertmanagerOptions alertmanager = config.alertmanager();
    if (alertmanager != null) {
      receivers.add(new AlertmanagerReceiver(alertmanager, sender, clock));
    }
    receivers.add(new UnconfiguredReceiver(List.copyOf(receivers)));
    return receivers;
  }

  /** Returns the port of its HTTP server. */
  public int port() {
    return http.port();
  }

  /** 503 if the process should be started again. */
  private Answer health() {
    Optional<String> dead =
        isStopping.get()
            ? Optional.empty()
            : lanes.stream().filter(lane -> !lane.isAlive()).map(Lane::name).findFirst();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("status", dead.isEmpty() ? "up" : "stuck");
    dead.ifPresent(name -> json.put("reason", "a thread of " + name + " has ended or hangs"));
    return Answer.json(dead.isEmpty(), json.toString());
  }

  /** A receiver that fails does not decide: another server would do no better. */
  private Answer ready(KafkaWatch watch) {
    Optional<String> problem = watch.problem();
    boolean isReady = problem.isEmpty() && !isStopping.get();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("status", isReady ? "ready" : "not ready");
    json.put("kafka", problem.orElse("ready"));
    json.put("draining", isStopping.get());
    ObjectNode receivers = json.putObject("receivers");
    lanes.forEach(lane -> describe(lane, receivers.putObject(lane.name())));
    return Answer.json(isReady, json.toString());
  }

  /** What {@code lastfix status} shows of a receiver. */
  private static void describe(Lane lane, ObjectNode json) {
    Lane.Counts counts = lane.counts();
    json.put("delivered", counts.delivered())
        .put("waiting", counts.waiting())
        .put("oldestSeconds", counts.oldest().toSeconds())
        .put("undelivered", counts.undelivered());
    lane.problem().ifPresent(problem -> json.put("problem", problem));
  }

  /**
   * Stops: takes no further alerts, waits for attempts in flight, commits, closes. Further calls do
   * nothing.
   */
  @Override
  public void close() {
    if (isStopping.compareAndSet(false, true)) {
      LOG.info("stopping; attempts in flight get their answers");
      end();
      LOG.info("stopped");
    }
  }

  private void end() {
    // All at once: each may wait.
    lanes.forEach(Lane::stop);
    for (int i = parts.size() - 1; i >= 0; i--) {
      try {
        parts.get(i).close();
      } catch (Exception e) {
        LOG.warn("cannot close {}", parts.get(i).getClass().getSimpleName(), e);
      }
    }
  }
}
