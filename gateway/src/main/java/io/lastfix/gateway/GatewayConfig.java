package io.lastfix.gateway;

import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.AccessOptions;
import io.lastfix.gateway.config.DevicesOptions;
import io.lastfix.gateway.config.HeartbeatOptions;
import io.lastfix.gateway.config.HttpOptions;
import io.lastfix.gateway.config.KafkaOptions;
import io.lastfix.gateway.config.LimitOptions;
import io.lastfix.gateway.config.MqttOptions;
import io.lastfix.gateway.config.QuotaOptions;
import io.lastfix.gateway.config.SdkOptions;
import io.lastfix.gateway.http.RecordsRoute;
import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.Settings;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.kit.net.MqttAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's configuration, typed and checked.
 *
 * @param http the server
 * @param access which clients may write, by route
 * @param devices which register and sign
 * @param heartbeats signs of life
 * @param quota of devices; null: none
 * @param mqtt the broker; null: HTTP only
 * @param profiles whose records are accepted
 * @param limits what a request may cost
 * @param sdk which clients may write
 * @param kafka where records go
 * @param tracing whether requests are traced
 */
public record GatewayConfig(
    HttpOptions http,
    AccessOptions access,
    DevicesOptions devices,
    HeartbeatOptions heartbeats,
    @Nullable QuotaOptions quota,
    @Nullable MqttOptions mqtt,
    List<String> profiles,
    LimitOptions limits,
    SdkOptions sdk,
    KafkaOptions kafka,
    boolean tracing) {
  /** What the gateway itself decides about its producer; without them a yes would be no promise. */
  private static final Set<String> OWN_PROPERTIES =
      Set.of(
          "bootstrap.servers",
          "acks",
          "enable.idempotence",
          "transactional.id",
          "max.block.ms",
          "delivery.timeout.ms",
          "request.timeout.ms",
          "buffer.memory",
          "max.request.size",
          "key.serializer",
          "value.serializer");

  /** Presence, quota and the order of a device's records need its messages in one partition. */
  private static final String PARTITIONER = "partitioner.";

  /** What a request without a body may hold of the budget, at most. */
  private static final int REQUEST_BYTES = 64 * 1024;

  /** Half of MQTT's largest packet (256 MiB), with room for its head. */
  private static final int MQTT_GREATEST_BYTES = 127 << 20;

  /** Reads a file and overrides with the process's environment. */
  public static GatewayConfig load(@Nullable Path file, List<String> overrides) {
    return from(Settings.load(file, overrides, System::getenv));
  }

  /**
   * Checks the whole configuration.
   *
   * @throws io.lastfix.kit.config.ConfigurationException naming every unknown key and every invalid
   *     value
   */
  static GatewayConfig from(Settings settings) {
    SettingsReader reader = new SettingsReader(settings, GatewayKeys.all(), GatewayKeys.PREFIXES);
    // Problems are listed in the order of reading.
    HttpOptions http = http(reader);
    AccessOptions access = access(reader);
    DevicesOptions devices = devices(reader);
    List<String> profiles = reader.get(GatewayKeys.PROFILES);
    LimitOptions limits = limits(reader);
    GatewayConfig config =
        new GatewayConfig(
            http,
            access,
            devices,
            new HeartbeatOptions(
                reader.get(GatewayKeys.HEARTBEATS_TOPIC),
                reader.get(GatewayKeys.TICK_INTERVAL),
                reader.get(GatewayKeys.C2_INTERVAL)),
            quota(reader, limits.maxBytes()),
            mqtt(reader, limits.maxBytes()),
            profiles,
            limits,
            new SdkOptions(
                reader.get(GatewayKeys.SDK_REQUIRED),
                reader.withPrefix(GatewayKeys.SDK_ACCEPT_PREFIX, SdkOptions.Range::of)),
            kafka(reader),
            reader.get(GatewayKeys.TRACING_ENABLED));
    boolean takesSecrets = config.devices().enabled() || config.access().isAnyBasic();
    reader.check(
        !takesSecrets
            || reader.gives(GatewayKeys.CERTIFICATE)
            || isLoopback(config.http().address())
            || reader.get(GatewayKeys.PLAIN_BEHIND_PROXY),
        GatewayKeys.ADDRESS,
        "passwords, tokens or secrets would be sent without TLS: set http.tls.certificate and"
            + " http.tls.key, or http.plain-behind-proxy: true if a proxy ends TLS");
    reader.finish("The gateway's configuration");
    return config;
  }

  /** A name without an address is a problem of its own, or the connection fails with it. */
  private static boolean isLoopback(String address) {
    InetAddress resolved = resolve(address);
    return resolved != null && resolved.isLoopbackAddress();
  }

  private static @Nullable InetAddress resolve(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static HttpOptions http(SettingsReader reader) {
    String certificate = file(reader, GatewayKeys.CERTIFICATE);
    String key = file(reader, GatewayKeys.PRIVATE_KEY);
    reader.check(
        !reader.gives(GatewayKeys.CERTIFICATE) || reader.gives(GatewayKeys.PRIVATE_KEY),
        GatewayKeys.PRIVATE_KEY,
        "expected beside " + GatewayKeys.CERTIFICATE.name());
    reader.check(
        !reader.gives(GatewayKeys.PRIVATE_KEY) || reader.gives(GatewayKeys.CERTIFICATE),
        GatewayKeys.CERTIFICATE,
        "expected beside " + GatewayKeys.PRIVATE_KEY.name());
    String address = reader.get(GatewayKeys.ADDRESS);
    reader.check(
        resolve(address) != null,
        GatewayKeys.ADDRESS,
        "expected an address of this machine, or 0.0.0.0 for all; the name has none");
    return new HttpOptions(
        address,
        reader.get(GatewayKeys.PORT),
        certificate == null || key == null
            ? null
            : new HttpOptions.Tls(Path.of(certificate), Path.of(key)),
        isLoopback(address) && !reader.get(GatewayKeys.PLAIN_BEHIND_PROXY),
        reader.get(GatewayKeys.MAX_CONNECTIONS),
        reader.get(GatewayKeys.IDLE_TIMEOUT),
        reader.get(GatewayKeys.REQUEST_TIMEOUT),
        reader.get(GatewayKeys.RETRY_AFTER),
        reader.get(GatewayKeys.LAME_DUCK),
        reader.get(GatewayKeys.DRAIN_TIMEOUT));
  }

  private static @Nullable String file(SettingsReader reader, Key<String> key) {
    return reader.getIfGiven(
        key.where(name -> Files.isReadable(Path.of(name)), "a file that can be read"));
  }

  private static AccessOptions access(SettingsReader reader) {
    Map<String, AccessMode> modes = new HashMap<>();
    for (Key<AccessMode> key : GatewayKeys.ACCESS) {
      String name = key.name().substring(AccessOptions.PREFIX.length());
      AccessMode mode = reader.get(key);
      reader.check(
          mode != AccessMode.SIGNED || name.equals(RecordsRoute.NAME),
          key,
          "expected closed, unsigned or basic, because no client of this route signs");
      modes.put(name, mode);
    }
    reader.check(
        modes.get(RecordsRoute.NAME) != AccessMode.SIGNED
            || reader.get(GatewayKeys.DEVICES_ENABLED),
        GatewayKeys.DEVICES_ENABLED,
        "expected true, because access.records is 'signed'");
    Map<String, byte[]> users = reader.getIfGiven(GatewayKeys.BASIC_USERS.as(BasicUsersFile::read));
    AccessOptions access = new AccessOptions(modes, users == null ? Map.of() : users);
    reader.check(
        reader.gives(GatewayKeys.BASIC_USERS) || !access.isAnyBasic(),
        GatewayKeys.BASIC_USERS,
        "expected a file, because a route is 'basic'");
    return access;
  }

  private static DevicesOptions devices(SettingsReader reader) {
    String keys =
        reader.getIfGiven(
            GatewayKeys.GROUP_KEYS.where(name -> Files.isDirectory(Path.of(name)), "a folder"));
    return new DevicesOptions(
        reader.get(GatewayKeys.DEVICES_ENABLED),
        reader.get(GatewayKeys.DEVICES_TOPIC),
        keys == null ? null : Path.of(keys),
        reader.get(GatewayKeys.SIGNATURE_TOLERANCE),
        reader.get(GatewayKeys.MAX_STALENESS));
  }

  private static @Nullable QuotaOptions quota(SettingsReader reader, int maxBytes) {
    int gateways = reader.get(GatewayKeys.QUOTA_GATEWAYS);
    reader.check(
        gateways == 1 || reader.get(GatewayKeys.DEVICES_ENABLED),
        GatewayKeys.DEVICES_ENABLED,
        "expected true, because quota.gateways is more than 1");
    int bytes = reader.get(GatewayKeys.QUOTA_BYTES);
    if (!reader.get(GatewayKeys.QUOTA_ENABLED)) {
      return null;
    }
    reader.check(
        bytes >= maxBytes,
        GatewayKeys.QUOTA_BYTES,
        "expected at least limits.max-bytes (%d bytes), because a larger body would never fit: raise it, lower limits.max-bytes, or set quota.enabled: false"
            .formatted(maxBytes));
    return new QuotaOptions(bytes, gateways, reader.get(GatewayKeys.QUOTA_MAX_DEVICES));
  }

  private static @Nullable MqttOptions mqtt(SettingsReader reader, int maxBytes) {
    MqttAddress broker = reader.getIfGiven(GatewayKeys.MQTT_BROKER);
    AccessMode records = reader.get(GatewayKeys.MQTT_RECORDS);
    AccessMode owntracks = reader.get(GatewayKeys.MQTT_OWNTRACKS);
    String user = reader.getIfGiven(GatewayKeys.MQTT_USER);
    String password = reader.getIfGiven(GatewayKeys.MQTT_PASSWORD);
    boolean mayBePlain = reader.get(GatewayKeys.MQTT_PLAIN_PASSWORD);
    String ca = file(reader, GatewayKeys.MQTT_CA);
    int budget = reader.get(GatewayKeys.MQTT_BUDGET);
    String clientIdFile = reader.getIfGiven(GatewayKeys.MQTT_CLIENT_ID_FILE);
    int receiveMaximum = reader.get(GatewayKeys.MQTT_RECEIVE_MAXIMUM);
    Duration expiry = reader.get(GatewayKeys.MQTT_SESSION_EXPIRY);
    Duration longestPause = reader.get(GatewayKeys.MQTT_RECONNECT);
    Duration probeInterval = reader.get(GatewayKeys.MQTT_PROBE);
    Duration signatureAge = reader.get(GatewayKeys.MQTT_SIGNATURE_AGE);
    Duration keyWait = reader.get(GatewayKeys.MQTT_KEY_WAIT);
    reader.check(
        records != AccessMode.BASIC,
        GatewayKeys.MQTT_RECORDS,
        "expected closed, unsigned or signed");
    reader.check(
        owntracks == AccessMode.CLOSED || owntracks == AccessMode.UNSIGNED,
        GatewayKeys.MQTT_OWNTRACKS,
        "expected closed or unsigned, because OwnTracks does not sign");
    reader.check(
        records != AccessMode.SIGNED || reader.get(GatewayKeys.DEVICES_ENABLED),
        GatewayKeys.DEVICES_ENABLED,
        "expected true, because mqtt.records is 'signed'");
    reader.check(
        budget >= maxBytes,
        GatewayKeys.MQTT_BUDGET,
        "expected at least " + GatewayKeys.MAX_BYTES.name());
    reader.check(
        (user == null) == (password == null),
        GatewayKeys.MQTT_USER,
        "expected beside " + GatewayKeys.MQTT_PASSWORD.name());
    if (broker == null) {
      reader.check(
          records == AccessMode.CLOSED && owntracks == AccessMode.CLOSED,
          GatewayKeys.MQTT_BROKER,
          "expected an address, because messages over MQTT are accepted");
      return null;
    }
    reader.check(
        clientIdFile != null,
        GatewayKeys.MQTT_CLIENT_ID_FILE,
        "expected a file that outlives a restart, because the broker keeps messages under the"
            + " gateway's client id");
    reader.check(
        records != AccessMode.CLOSED || owntracks != AccessMode.CLOSED,
        GatewayKeys.MQTT_RECORDS,
        "expected unsigned or signed here, or unsigned at mqtt.owntracks: with both closed no"
            + " message is accepted");
    reader.check(
        ca == null || broker.tls(),
        GatewayKeys.MQTT_BROKER,
        "expected mqtts://, because mqtt.tls.ca is given");
    reader.check(
        password == null || broker.tls() || mayBePlain || isLoopback(broker.host()),
        GatewayKeys.MQTT_BROKER,
        "expected mqtts://, because mqtt.password would be sent without TLS; set"
            + " mqtt.plain-password: true if the network is private");
    reader.check(
        maxBytes <= MQTT_GREATEST_BYTES,
        GatewayKeys.MAX_BYTES,
        "expected up to %d mb with mqtt.broker, because no packet of MQTT is twice as large"
            .formatted(MQTT_GREATEST_BYTES >> 20));
    return new MqttOptions(
        broker,
        user == null || password == null ? null : new MqttOptions.Login(user, password),
        ca == null ? null : Path.of(ca),
        records,
        owntracks,
        budget,
        signatureAge,
        keyWait,
        new MqttOptions.Session(
            Path.of(clientIdFile == null ? "" : clientIdFile),
            receiveMaximum,
            expiry,
            longestPause,
            probeInterval));
  }

  private static LimitOptions limits(SettingsReader reader) {
    int maxBytes = reader.get(GatewayKeys.MAX_BYTES);
    int maxOpened = reader.get(GatewayKeys.MAX_OPENED_BYTES);
    int budget = reader.get(GatewayKeys.BUDGET);
    reader.check(
        maxOpened >= maxBytes,
        GatewayKeys.MAX_OPENED_BYTES,
        "expected at least " + GatewayKeys.MAX_BYTES.name());
    reader.check(
        budget >= maxBytes + REQUEST_BYTES,
        GatewayKeys.BUDGET,
        "expected at least %d kb more than %s"
            .formatted(REQUEST_BYTES / 1024, GatewayKeys.MAX_BYTES.name()));
    return new LimitOptions(
        maxBytes,
        maxOpened,
        reader.get(GatewayKeys.MAX_RATIO),
        budget,
        reader.get(GatewayKeys.MAX_REQUESTS),
        reader.get(GatewayKeys.MAX_REQUESTS_PER_CONNECTION));
  }

  private static KafkaOptions kafka(SettingsReader reader) {
    Map<String, String> properties = reader.withPrefix(GatewayKeys.PROPERTIES_PREFIX, text -> text);
    properties.keySet().stream()
        .filter(name -> OWN_PROPERTIES.contains(name) || name.startsWith(PARTITIONER))
        .forEach(
            name ->
                reader.problem(
                    GatewayKeys.PROPERTIES_PREFIX + name + ": decided by the gateway, remove it"));
    return new KafkaOptions(
        reader.get(GatewayKeys.BOOTSTRAP_SERVERS),
        reader.get(GatewayKeys.TOPIC_PREFIX),
        reader.get(GatewayKeys.CREATE_TOPICS),
        reader.get(GatewayKeys.PARTITIONS),
        reader.get(GatewayKeys.REPLICATION),
        reader.get(GatewayKeys.START_TIMEOUT),
        reader.get(GatewayKeys.DELIVERY_TIMEOUT),
        properties);
  }
}
