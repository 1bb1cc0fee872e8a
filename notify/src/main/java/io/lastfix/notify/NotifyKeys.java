package io.lastfix.notify;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.net.MqttAddress;
import io.lastfix.rules.alert.AlertTopics;
import java.time.Duration;
import java.util.List;

/** Every key of the server's configuration, in the order of the documents. */
final class NotifyKeys {
  static final Key<String> ADDRESS =
      Key.text(
          "http.address",
          "127.0.0.1",
          "Address on which /health, /ready and /metrics are. 0.0.0.0 is every address of the"
              + " machine.");

  static final Key<Integer> PORT =
      Key.number("http.port", 8485, 0, 65_535, "Port. 0 is any free port, for tests.");

  static final Key<Integer> WINDOW =
      Key.number(
          "delivery.window",
          1_000,
          1,
          100_000,
          "Alerts of a receiver that may be read and unfinished. While there are as many, or they"
              + " have 4 MiB, no further alert of that receiver is read.");

  static final Key<Integer> MAX_IN_FLIGHT =
      Key.number(
          "delivery.max-in-flight",
          8,
          1,
          1_000,
          "Attempts of a receiver at once. An alert waits for the same user's earlier ones.");

  static final Key<Duration> TIMEOUT =
      duration(
          "delivery.timeout",
          "10 s",
          "The longest wait for the whole answer of a receiver, connecting included.",
          Duration.ofMillis(100),
          Duration.ofMinutes(5));

  static final Key<Duration> RETRY_FOR =
      duration(
          "delivery.retry-for",
          "1 d",
          "How long an alert is tried, from the time at which Kafka took it. Then it goes to"
              + " kafka.undelivered-topic. Shorter than the retention of kafka.alerts-topic, or the"
              + " server does not start.",
          Duration.ofSeconds(1),
          Duration.ofDays(30));

  static final Key<Duration> FIRST_PAUSE =
      duration(
          "delivery.first-pause",
          "1 s",
          "The pause after the first failed attempt. It doubles with each further one. At random, a"
              + " pause is up to half shorter. A receiver's Retry-After may prolong it, and holds"
              + " up the receiver's other alerts for delivery.longest-pause at most.",
          Duration.ofMillis(10),
          Duration.ofHours(1));

  static final Key<Duration> LONGEST_PAUSE =
      duration(
          "delivery.longest-pause",
          "10 min",
          "The longest of these pauses.",
          Duration.ofMillis(10),
          Duration.ofHours(1));

  static final Key<Duration> DRAIN_TIMEOUT =
      duration(
          "delivery.drain-timeout",
          "15 s",
          "At a stop (SIGTERM), the longest wait for attempts in flight. An attempt that is cut off"
              + " is repeated after the next start.",
          Duration.ZERO,
          Duration.ofMinutes(5));

  static final Key<MqttAddress> MQTT_BROKER =
      Key.text(
              "mqtt.broker",
              null,
              "The MQTT 5 broker for actions 'mqtt': mqtt://HOST:1883, or mqtts://HOST:8883 for"
                  + " TLS. Messages have QoS 1.")
          .as(MqttAddress::parse);

  static final Key<String> MQTT_USER =
      Key.text("mqtt.user", null, "The user at the broker; with mqtt.password.");

  static final Key<String> MQTT_PASSWORD =
      Key.text(
              "mqtt.password",
              null,
              "The user's password: ${NAME} or ${file:/path}, so that neither this file nor a process"
                  + " list has it.")
          .secret();

  static final Key<Boolean> MQTT_PLAIN_PASSWORD =
      Key.flag(
          "mqtt.plain-password",
          false,
          "Whether the password may be sent without TLS (mqtt://) to a broker off loopback. Only in"
              + " a private network.");

  static final Key<String> MQTT_CA =
      Key.text(
          "mqtt.tls.ca",
          null,
          "File with the certificates (PEM) of those who may certify the broker. Absent: those that"
              + " Java trusts.");

  static final Key<String> MQTT_TOPIC_PREFIX =
      Key.text(
          "mqtt.topic-prefix",
          null,
          "Begins each topic to which alerts may be published, such as fleet/. An alert for"
              + " another topic is given up. Absent: any topic that does not begin with $.");

  static final Key<String> ALERTMANAGER_URL =
      Key.text(
              "alertmanager.url",
              null,
              "The Alertmanager for actions 'alertmanager', without /api/v2: https://HOST, or"
                  + " http://HOST:9093 on loopback. An alert has the labels alertname (the rule),"
                  + " user, kind, fence and route (the action's text).")
          // Its path may be all that keeps others away.
          .secret();

  static final Key<Boolean> ALERTMANAGER_PLAIN =
      Key.flag(
          "alertmanager.plain-http",
          false,
          "Whether http:// may lead off loopback. Only in a private network.");

  static final Key<Duration> RESOLVE_AFTER =
      duration(
          "alertmanager.resolve-after",
          "10 min",
          "How long after its delivery Alertmanager counts an alert as resolved. Until then, it"
              + " gets the alert again each minute. Longer than its group_interval (usually 5 min):"
              + " it does not notify of an alert that is over before.",
          Duration.ofSeconds(1),
          Duration.ofDays(30));

  static final Key<String> BOOTSTRAP_SERVERS =
      Key.text(
          "kafka.bootstrap-servers",
          "127.0.0.1:9092",
          "Brokers that the server contacts first: host:port, separated by commas.");

  static final Key<String> ALERTS_TOPIC =
      Key.text(
          "kafka.alerts-topic",
          "lastfix.alerts",
          "Topic of alerts: the rules job's rules.alerts-topic.");

  static final Key<String> UNDELIVERED_TOPIC =
      Key.text(
          "kafka.undelivered-topic",
          AlertTopics.UNDELIVERED,
          "Topic of alerts that were given up, each with its receiver and the reason. A topic that"
              + " the server creates keeps them for 30 days.");

  static final Key<String> GROUP =
      Key.text(
          "kafka.group",
          "lastfix-notify",
          "Begins the consumer group of each receiver: this, a dash, and webhook-NAME, mqtt,"
              + " alertmanager or unconfigured. A group without committed offsets begins with the"
              + " alerts after the server's start. Kafka deletes the offsets of a server that was"
              + " away for 7 days (offsets.retention.minutes).");

  static final Key<Boolean> CREATE_TOPICS =
      Key.flag(
          "kafka.create-topics",
          true,
          "If true, the server creates missing topics at its start. If false, it stops and names"
              + " them.");

  static final Key<Integer> PARTITIONS =
      Key.number(
          "kafka.new-topic.partitions", 4, 1, 10_000, "Partitions of a topic that it creates.");

  static final Key<Short> REPLICATION =
      Key.number(
              "kafka.new-topic.replication",
              -1,
              "Replicas of a topic that it creates; -1 is the broker's default.")
          .where(n -> n == -1 || (n >= 1 && n <= Short.MAX_VALUE), "1 or more, or -1")
          .as(Integer::shortValue);

  static final Key<Duration> START_TIMEOUT =
      duration(
          "kafka.start-timeout",
          "60 s",
          "The longest wait for an answer of Kafka at the start.",
          Duration.ofMillis(100),
          Duration.ofHours(1));

  /** Before a webhook's name. */
  static final String WEBHOOKS_PREFIX = "webhooks.";

  static final String PROPERTIES_PREFIX = "kafka.properties.";

  static final List<String> PREFIXES = List.of(WEBHOOKS_PREFIX, PROPERTIES_PREFIX);

  private NotifyKeys() {}

  static List<Key<?>> all() {
    return Key.declaredIn(NotifyKeys.class);
  }

  private static Key<Duration> duration(
      String name, String byDefault, String description, Duration least, Duration greatest) {
    return Key.duration(name, byDefault, description)
        .where(
            it -> it.compareTo(least) >= 0 && it.compareTo(greatest) <= 0,
            "a duration from %s to %s such as 200 ms, 5 s or 1 min"
                .formatted(text(least), text(greatest)));
  }

  private static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + " ms";
    }
    if (duration.toDays() > 0) {
      return duration.toDays() + " d";
    }
    return duration.toHours() > 0
        ? duration.toHours() + " h"
        : duration.toMinutes() > 0 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
  }
}
