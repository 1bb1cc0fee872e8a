package io.lastfix.gateway;

import io.lastfix.gateway.clients.OpenSchemaRoute;
import io.lastfix.gateway.clients.OsmandRoute;
import io.lastfix.gateway.clients.OwnTracksRoute;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RecordsRoute;
import io.lastfix.kit.config.Key;
import io.lastfix.kit.net.MqttAddress;
import io.lastfix.model.ShippedProfiles;
import io.lastfix.model.device.HeartbeatMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every key of the gateway's configuration, in the order of the documents. */
final class GatewayKeys {
  private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9_-]{1,60}");

  static final Key<String> ADDRESS =
      Key.text(
          "http.address",
          "127.0.0.1",
          "Address on which the gateway listens. 0.0.0.0 is every address of the machine.");

  static final Key<Integer> PORT =
      Key.number("http.port", 8480, 0, 65_535, "Port. 0 is any free port, for tests.");

  static final Key<String> CERTIFICATE =
      Key.text(
          "http.tls.certificate",
          null,
          "File with the certificate chain (PEM). With it the gateway speaks HTTPS only.");

  static final Key<String> PRIVATE_KEY =
      Key.text(
          "http.tls.key",
          null,
          "File with the certificate's private key (PKCS 8, PEM, no password).");

  static final Key<Integer> MAX_CONNECTIONS =
      Key.number(
          "http.max-connections",
          20_000,
          1,
          10_000_000,
          "Connections that may be open at once. Further ones are closed at once.");

  static final Key<Duration> IDLE_TIMEOUT =
      duration(
          "http.idle-timeout",
          "60 s",
          "A connection without a request is closed after this time, also one whose request's head"
              + " does not arrive whole.");

  static final Key<Duration> REQUEST_TIMEOUT =
      duration(
          "http.request-timeout",
          "30 s",
          "A request has to be there whole within this time of its head; otherwise the answer is"
              + " 408.");

  static final Key<Duration> RETRY_AFTER =
      duration(
          "http.retry-after",
          "10 s",
          "How long clients are asked to wait by an answer 503: between half of this time and one"
              + " and a half times as long, at random, so that they do not all return at once.");

  static final Key<Duration> LAME_DUCK =
      duration(
          "http.lame-duck",
          "5 s",
          "At a stop (SIGTERM), how long /ready answers 503 while requests are still taken: longer"
              + " than a load balancer needs to notice. Over HTTP/1.1 each answer ends its connection.");

  static final Key<Boolean> PLAIN_BEHIND_PROXY =
      Key.flag(
          "http.plain-behind-proxy",
          false,
          "Whether a proxy that ends TLS is in front of the gateway, in a private network. Then"
              + " passwords, enrolment tokens and secrets may come without TLS to an address off"
              + " loopback. On loopback, requests may name any host and come from web pages.");

  static final Key<Duration> DRAIN_TIMEOUT =
      duration(
          "http.drain-timeout",
          "25 s",
          "At a stop (SIGTERM), the longest time after http.lame-duck for which open requests get"
              + " their answers. New ones get 503 (draining).");

  /**
   * The routes that take records, each with its key; a new client's route comes here. They load
   * without an HTTP server on the class path, as tests of other modules read the configuration.
   */
  static final List<RecordRoute> RECORDS =
      List.of(new RecordsRoute(), new OsmandRoute(), new OwnTracksRoute(), new OpenSchemaRoute());

  static final Key<AccessMode> ACCESS_C2 =
      Key.oneOf(
          "access.c2",
          AccessMode.CLOSED,
          "Write access to /c2-protocol/heartbeat and /c2-protocol/acknowledge, of MiNiFi agents:"
              + " 'closed', 'unsigned' (the device is the agent's identifier) or 'basic'.");

  /** Write access, a key for each name of a route. */
  static final List<Key<AccessMode>> ACCESS =
      Stream.concat(RECORDS.stream().map(RecordRoute::access), Stream.of(ACCESS_C2)).toList();

  static final Key<String> BASIC_USERS =
      Key.text(
          "access.basic-users",
          null,
          "File with a line USER:HASH for each user of 'basic'. HASH is the SHA-256 of the password"
              + " in hexadecimal digits: give each user a generated password of 16 characters or"
              + " more, because such a hash does not protect a short one. Read at the start.");

  static final Key<Boolean> DEVICES_ENABLED =
      Key.flag(
          "devices.enabled",
          false,
          "Whether devices register at POST /v1/devices with their group's token, and may sign. The"
              + " gateway then follows devices.topic, and starts once it has read it.");

  static final Key<String> DEVICES_TOPIC =
      Key.text(
          "devices.topic",
          DevicesTopic.DEFAULT_NAME,
          "Topic of groups, devices and decisions about them; 'lastfix group' and 'lastfix device'"
              + " write it, too.");

  static final Key<String> GROUP_KEYS =
      Key.text(
          "devices.group-keys",
          null,
          "Folder with the groups' keys, a file GROUP.KEY each, as 'lastfix group create' writes"
              + " them. A variable LASTFIX_GROUP_KEY_GROUP_KEY of the environment comes first.");

  static final Key<Duration> SIGNATURE_TOLERANCE =
      duration(
          "devices.signature-tolerance",
          "5 min",
          "How far the time of a signature may be from the gateway's clock, to both sides.");

  static final Key<Duration> MAX_STALENESS =
      duration(
              "devices.max-staleness",
              "1 min",
              "How long ago the gateway may have read devices.topic to its end, 10 s or more. After"
                  + " that it answers 503 to signed requests and registrations, because a device may"
                  + " have been revoked.")
          // It asks each second, and Kafka's answer takes a while.
          .where(staleness -> staleness.toSeconds() >= 10, "10 s to 24 h");

  static final Key<String> HEARTBEATS_TOPIC =
      Key.text(
          "heartbeats.topic",
          "lastfix.heartbeats",
          "Topic of the devices' signs of life: the devices job's devices.heartbeats-topic. It must"
              + " store append times (message.timestamp.type=LogAppendTime).");

  static final Key<Duration> TICK_INTERVAL =
      duration(
          "heartbeats.tick-interval",
          "5 s",
          "How often the gateway writes a tick into each partition of that topic. At most a third"
              + " of the devices job's devices.longest-silence.");

  static final Key<Duration> C2_INTERVAL =
      duration(
              "heartbeats.c2-interval",
              "1 min",
              "How often MiNiFi agents send a heartbeat (nifi.c2.agent.heartbeat.period), or longer."
                  + " They do not send it themselves, and are offline after three times as long.")
          .where(
              interval ->
                  interval.toSeconds() >= 1
                      && interval.toSeconds() <= HeartbeatMessage.MAX_INTERVAL_SECONDS,
              "1 s to 1 d");

  static final Key<Boolean> QUOTA_ENABLED =
      Key.flag(
          "quota.enabled",
          true,
          "Whether each device has a quota of bytes. Records without a device have none.");

  static final Key<Integer> QUOTA_BYTES =
      size(
          "quota.bytes-per-day",
          "100 mb",
          "Bytes of bodies, as on the wire, that a device may push in a UTC day: by default what a"
              + " phone sends that reports each second, 86,400 times 1.2 kB. Then the answer is 429"
              + " until midnight. There is no limit per second.");

  static final Key<Integer> QUOTA_GATEWAYS =
      Key.number(
          "quota.gateways",
          1,
          1,
          10_000,
          "Number of gateways that a device may reach. With more than one, devices.enabled has to"
              + " be true and the devices job has to run: it counts for all.");

  static final Key<Integer> QUOTA_MAX_DEVICES =
      Key.number(
          "quota.max-devices",
          200_000,
          1,
          100_000_000,
          "Devices of a UTC day that are counted: up to 400 bytes of heap each, and the characters of"
              + " its name. Further ones are not limited until midnight, and counted in"
              + " lastfix_gateway_quota_uncounted: without signatures, a client could otherwise fill the"
              + " memory with names.");

  static final Key<MqttAddress> MQTT_BROKER =
      Key.text(
              "mqtt.broker",
              null,
              "The MQTT 5 broker to which devices publish: mqtt://HOST:1883, or mqtts://HOST:8883"
                  + " for TLS. Without it the gateway speaks HTTP only.")
          .as(MqttAddress::parse);

  static final Key<AccessMode> MQTT_RECORDS =
      Key.oneOf(
          "mqtt.records",
          AccessMode.CLOSED,
          "Messages to lastfix/v1/DEVICE/records/PROFILE, and its heartbeats. 'closed': not"
              + " subscribed to. 'unsigned': the topic names the device; the broker has to decide who"
              + " may publish there. 'signed': registered devices; needs devices.enabled.");

  static final Key<AccessMode> MQTT_OWNTRACKS =
      Key.oneOf(
          "mqtt.owntracks",
          AccessMode.CLOSED,
          "Messages to owntracks/USER/DEVICE: 'closed' or 'unsigned'. The broker has to decide who"
              + " may publish there.");

  static final Key<String> MQTT_CLIENT_ID_FILE =
      Key.text(
          "mqtt.client-id-file",
          null,
          "File with the client id at the broker; required with mqtt.broker. If it is missing, the"
              + " gateway draws an id at random and writes it, readable by its owner alone. Each"
              + " gateway has its own file, which outlives a restart, because the broker keeps"
              + " messages under the id. It is a secret: a client that connects with it takes them.");

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

  static final Key<Integer> MQTT_RECEIVE_MAXIMUM =
      Key.number(
          "mqtt.receive-maximum",
          65_535,
          1,
          65_535,
          "Messages that the broker may have sent and the gateway not acknowledged yet; mqtt.budget"
              + " bounds their bytes. The broker may allow fewer: max_inflight_messages of Mosquitto"
              + " is 20 by default. Mosquitto 2.0 may exceed a small number under load, which ends"
              + " the connection.");

  static final Key<Integer> MQTT_BUDGET =
      size(
          "mqtt.budget",
          "16 mb",
          "Bytes of all messages that wait for Kafka's acknowledgement. While they are used up, the"
              + " gateway does not read from the broker, which holds the messages. Apart from"
              + " limits.budget, so that neither can starve the other; size the heap for four times"
              + " as much more.");

  static final Key<Duration> MQTT_SESSION_EXPIRY =
      longDuration(
          "mqtt.session-expiry",
          "7 d",
          "How long the broker keeps a gateway's messages while it is away. The gateway refuses a"
              + " broker that grants less.");

  static final Key<Duration> MQTT_SIGNATURE_AGE =
      longDuration(
          "mqtt.signature-age",
          "7 d",
          "How old a signature may be over MQTT: as long as a broker may hold a message. A message"
              + " that is published again is stored once, but counts for its device's quota"
              + " again: let only the device publish to its topics, and only the gateways read them.");

  static final Key<Duration> MQTT_KEY_WAIT =
      longDuration(
          "mqtt.group-key-wait",
          "5 min",
          "How long messages wait at the broker, from the first one, for a group's key that this"
              + " gateway lacks. They hold back all others meanwhile. Later ones are dropped and"
              + " counted as group-key-absent.");

  static final Key<Duration> MQTT_RECONNECT =
      duration(
          "mqtt.reconnect-max",
          "30 s",
          "The longest wait before the next connection. It starts at 250 ms and doubles.");

  static final Key<Duration> MQTT_PROBE =
      duration(
          "mqtt.probe-interval",
          "1 min",
          "After that long without a message, the gateway publishes a probe to its own subscription."
              + " If none comes back within a third of it, the gateway connects anew.");

  static final Key<List<String>> PROFILES =
      Key.list(
              "profiles.names",
              String.join(", ", ShippedProfiles.names()),
              "Profiles whose records are accepted. Name the same ones in the location job, or"
                  + " their records stay in Kafka unread.")
          .where(
              names ->
                  !names.isEmpty()
                      && names.stream().allMatch(name -> PROFILE.matcher(name).matches()),
              "one or more names of up to 60 letters, digits, '_' and '-'")
          .where(names -> names.stream().distinct().count() == names.size(), "each name once");

  static final Key<Integer> MAX_BYTES =
      size(
          "limits.max-bytes",
          "1000 kb",
          "Maximum size of a body as it comes over the wire. At the start each topic's"
              + " max.message.bytes has to be 20 kb more; the job's parse.max-message-size should"
              + " not be smaller.");

  static final Key<Integer> MAX_OPENED_BYTES =
      size(
          "limits.max-opened-bytes",
          "16 mb",
          "Maximum size of a gzip body when decompressed. The gateway stops counting there. The"
              + " job's parse.max-decompressed-size should not be smaller.");

  static final Key<Integer> MAX_RATIO =
      Key.number(
          "limits.max-ratio",
          200,
          2,
          2_000,
          "How many bytes a byte of gzip may become. Bodies that open to less than 64 kB may exceed"
              + " it.");

  static final Key<Integer> BUDGET =
      size(
          "limits.budget",
          "64 mb",
          "Memory of all requests that are being read or wait for Kafka's acknowledgement: 16 kB"
              + " each, their heads and their bodies. While it is used up, the answer is 503 before"
              + " the body is read. The producer gets twice as much memory and 32 MB, so size the"
              + " heap for four times the budget and 128 MB.");

  static final Key<Integer> MAX_REQUESTS =
      Key.number(
          "limits.max-requests",
          4_096,
          1,
          1_000_000,
          "Requests that may be open at once, on all connections together. Further ones get 503.");

  static final Key<Integer> MAX_REQUESTS_PER_CONNECTION =
      Key.number(
          "limits.max-requests-per-connection",
          128,
          1,
          10_000,
          "Requests that may be open at once on one connection: streams of HTTP/2, or pipelined"
              + " requests of HTTP/1.1. One more pipelined request closes the connection.");

  static final Key<Boolean> SDK_REQUIRED =
      Key.flag(
          "sdk.required",
          false,
          "Whether a request to /v1 needs the header Lastfix-SDK: CLIENT/VERSION.");

  static final String SDK_ACCEPT_PREFIX = "sdk.accept.";

  static final Key<String> BOOTSTRAP_SERVERS =
      Key.text(
          "kafka.bootstrap-servers",
          "127.0.0.1:9092",
          "Brokers that the gateway contacts first: host:port, separated by commas.");

  static final Key<String> TOPIC_PREFIX =
      Key.text(
          "kafka.location-topic-prefix",
          "lastfix.location.",
          "A profile's topic is this prefix followed by the profile's name.");

  static final Key<Boolean> CREATE_TOPICS =
      Key.flag(
          "kafka.create-topics",
          true,
          "If true, the gateway creates missing topics at its start. If false, it stops and names"
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
          "The longest wait for an answer of Kafka at the start; while devices.topic is read, the"
              + " longest time without a message of it.");

  static final Key<Duration> DELIVERY_TIMEOUT =
      duration(
              "kafka.delivery-timeout",
              "20 s",
              "The longest wait for an acknowledgement, repetitions included. Then the answer is"
                  + " 503.")
          .where(timeout -> timeout.toMillis() >= 1_000, "1 s or more");

  static final String PROPERTIES_PREFIX = "kafka.properties.";

  static final Key<Boolean> TRACING_ENABLED =
      Key.flag(
          "tracing.enabled",
          false,
          "Whether records and registrations are traced, with OpenTelemetry. Its"
              + " variables set where to and how: OTEL_EXPORTER_OTLP_ENDPOINT"
              + " (http://localhost:4318), OTEL_TRACES_SAMPLER (traceidratio) and"
              + " OTEL_TRACES_SAMPLER_ARG (0.01: one request of a hundred), OTEL_PROPAGATORS (none;"
              + " tracecontext continues the clients' traces).");

  static final List<String> PREFIXES = List.of(SDK_ACCEPT_PREFIX, PROPERTIES_PREFIX);

  private GatewayKeys() {}

  static List<Key<?>> all() {
    List<Key<?>> keys = new ArrayList<>(Key.declaredIn(GatewayKeys.class));
    keys.addAll(keys.indexOf(ACCESS_C2), RECORDS.stream().map(RecordRoute::access).toList());
    return keys;
  }

  private static Key<Duration> duration(String name, String byDefault, String description) {
    String expected = "a duration from 1 ms to 24 h such as 200 ms, 5 s or 1 min";
    return Key.duration(name, byDefault, description, expected)
        .where(it -> it.toMillis() >= 1 && it.compareTo(Duration.ofHours(24)) <= 0, expected);
  }

  private static Key<Duration> longDuration(String name, String byDefault, String description) {
    String expected = "a duration from 1 s to 365 d such as 30 s, 5 min, 12 h or 7 d";
    return Key.duration(name, byDefault, description, expected)
        .where(
            it ->
                it.toSeconds() >= 1
                    && it.toMillisPart() == 0
                    && it.compareTo(Duration.ofDays(365)) <= 0,
            expected);
  }

  private static Key<Integer> size(String name, String byDefault, String description) {
    String expected = "a size from 1 kb to 1 gb such as 64 kb or 16 mb";
    return Key.size(name, byDefault, description, expected)
        .where(size -> size >= (1 << 10) && size <= (1 << 30), expected)
        .as(Long::intValue);
  }
}
