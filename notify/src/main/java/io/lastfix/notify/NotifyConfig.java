package io.lastfix.notify;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.Settings;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.kit.net.MqttAddress;
import io.lastfix.kit.poll.Backoff;
import io.lastfix.notify.config.AlertmanagerOptions;
import io.lastfix.notify.config.DeliveryOptions;
import io.lastfix.notify.config.HttpOptions;
import io.lastfix.notify.config.KafkaOptions;
import io.lastfix.notify.config.MqttOptions;
import io.lastfix.notify.config.WebhookOptions;
import io.lastfix.notify.config.WebhookSecret;
import io.lastfix.rules.text.Ids;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The server's configuration, typed and checked.
 *
 * @param http the server of its state
 * @param delivery how alerts are delivered
 * @param webhooks by the names that rules have
 * @param mqtt the broker; null: none
 * @param alertmanager null: none
 * @param kafka where alerts come from
 */
public record NotifyConfig(
    HttpOptions http,
    DeliveryOptions delivery,
    Map<String, WebhookOptions> webhooks,
    @Nullable MqttOptions mqtt,
    @Nullable AlertmanagerOptions alertmanager,
    KafkaOptions kafka) {
  /** What the server itself decides about its clients. */
  private static final Set<String> OWN_PROPERTIES =
      Set.of(
          "bootstrap.servers",
          "client.id",
          "allow.auto.create.topics",
          "partition.assignment.strategy",
          "group.protocol",
          "group.id",
          "group.instance.id",
          "enable.auto.commit",
          "auto.offset.reset",
          "isolation.level",
          "max.poll.records",
          "acks",
          "enable.idempotence",
          "transactional.id",
          "max.block.ms",
          "max.request.size",
          "delivery.timeout.ms",
          "key.serializer",
          "value.serializer",
          "key.deserializer",
          "value.deserializer");

  /** Reads a file and overrides with the process's environment. */
  public static NotifyConfig load(@Nullable Path file, List<String> overrides) {
    return from(Settings.load(file, overrides, System::getenv));
  }

  /**
   * Checks the whole configuration.
   *
   * @throws io.lastfix.kit.config.ConfigurationException naming every unknown key and every invalid
   *     value
   */
  static NotifyConfig from(Settings settings) {
    SettingsReader reader = new SettingsReader(settings, NotifyKeys.all(), NotifyKeys.PREFIXES);
    // Problems are listed in the order of reading.
    NotifyConfig config =
        new NotifyConfig(
            new HttpOptions(reader.get(NotifyKeys.ADDRESS), reader.get(NotifyKeys.PORT)),
            delivery(reader),
            webhooks(reader),
            mqtt(reader),
            alertmanager(reader),
            kafka(reader));
    reader.finish("The configuration of notify");
    return config;
  }

  private static DeliveryOptions delivery(SettingsReader reader) {
    Duration first = reader.get(NotifyKeys.FIRST_PAUSE);
    return new DeliveryOptions(
        reader.get(NotifyKeys.WINDOW),
        reader.get(NotifyKeys.MAX_IN_FLIGHT),
        reader.get(NotifyKeys.TIMEOUT),
        reader.get(NotifyKeys.RETRY_FOR),
        new Backoff(
            first, reader.getAtLeast(first, NotifyKeys.FIRST_PAUSE, NotifyKeys.LONGEST_PAUSE)),
        reader.get(NotifyKeys.DRAIN_TIMEOUT));
  }

  /** Reads the keys {@code webhooks.NAME.url}, {@code .secret} and {@code .plain-http}. */
  private static Map<String, WebhookOptions> webhooks(SettingsReader reader) {
    Map<String, WebhookOptions> webhooks = new TreeMap<>();
    Set<String> names = new TreeSet<>();
    for (String key : reader.withPrefix(NotifyKeys.WEBHOOKS_PREFIX, text -> text).keySet()) {
      int dot = key.indexOf('.');
      String name = dot < 0 ? key : key.substring(0, dot);
      boolean isKnown =
          dot > 0 && Set.of("url", "secret", "plain-http").contains(key.substring(dot + 1));
      reader.check(
          isKnown,
          Key.anyText(NotifyKeys.WEBHOOKS_PREFIX + key, null, ""),
          "unknown key: a webhook has the keys url, secret and plain-http");
      if (isKnown) {
        names.add(name);
      }
    }
    for (String name : names) {
      WebhookOptions webhook = webhook(reader, name);
      if (webhook != null) {
        webhooks.put(name, webhook);
      }
    }
    return webhooks;
  }

  private static @Nullable WebhookOptions webhook(SettingsReader reader, String name) {
    String prefix = NotifyKeys.WEBHOOKS_PREFIX + name + ".";
    Key<URI> urlKey = Key.text(prefix + "url", null, "").as(NotifyConfig::url);
    Key<List<WebhookSecret>> secretKey =
        Key.list(prefix + "secret", "", "").as(NotifyConfig::secrets).secret();
    reader.check(
        Ids.isValid(name), urlKey, "a webhook's name: expected 1 to 64 of a-z, 0-9 and dashes");
    URI url = reader.getIfGiven(urlKey);
    List<WebhookSecret> secrets = reader.getIfGiven(secretKey);
    reader.check(reader.gives(urlKey), urlKey, "expected beside " + secretKey.name());
    reader.check(
        reader.gives(secretKey),
        secretKey,
        "expected %s, which signs the requests: ${NAME} or ${file:/path}"
            .formatted(WebhookSecret.EXPECTED));
    boolean mayBePlain = reader.get(Key.flag(prefix + "plain-http", false, ""));
    checkPlain(reader, urlKey, url, mayBePlain, prefix + "plain-http");
    return url == null || secrets == null ? null : new WebhookOptions(url, secrets);
  }

  private static List<WebhookSecret> secrets(List<String> texts) {
    if (texts.isEmpty() || texts.size() > 2) {
      throw new IllegalArgumentException(
          "expected one secret, or two of which the receiver has either");
    }
    return texts.stream().map(WebhookSecret::parse).toList();
  }

  /** Returns a URL without what a message must not show. */
  private static URI url(String text) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      throw expectedUrl();
    }
    String scheme = String.valueOf(url.getScheme());
    if (!(scheme.equals("https") || scheme.equals("http"))
        || url.getHost() == null
        || url.getPort() == 0
        || url.getPort() > 65_535
        || url.getRawUserInfo() != null
        || url.getRawFragment() != null) {
      throw expectedUrl();
    }
    return url;
  }

  /** The value may have a token in its path: it is not shown. */
  private static IllegalArgumentException expectedUrl() {
    return new IllegalArgumentException(
        "expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment");
  }

  private static void checkPlain(
      SettingsReader reader, Key<?> key, @Nullable URI url, boolean mayBePlain, String flag) {
    reader.check(
        url == null || url.getScheme().equals("https") || mayBePlain || isLoopback(url.getHost()),
        key,
        "expected https://, because alerts would be sent without TLS; set %s: true if the network is private"
            .formatted(flag));
  }

  /** A name without an address is none; the connection fails with it later. */
  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static @Nullable MqttOptions mqtt(SettingsReader reader) {
    MqttAddress broker = reader.getIfGiven(NotifyKeys.MQTT_BROKER);
    String user = reader.getIfGiven(NotifyKeys.MQTT_USER);
    String password = reader.getIfGiven(NotifyKeys.MQTT_PASSWORD);
    boolean mayBePlain = reader.get(NotifyKeys.MQTT_PLAIN_PASSWORD);
    String ca =
        reader.getIfGiven(
            NotifyKeys.MQTT_CA.where(
                name -> Files.isReadable(Path.of(name)), "a file that can be read"));
    String topicPrefix = reader.getIfGiven(NotifyKeys.MQTT_TOPIC_PREFIX);
    reader.check(
        reader.gives(NotifyKeys.MQTT_USER) == reader.gives(NotifyKeys.MQTT_PASSWORD),
        NotifyKeys.MQTT_USER,
        "expected beside " + NotifyKeys.MQTT_PASSWORD.name());
    if (broker == null) {
      return null;
    }
    reader.check(
        ca == null || broker.tls(),
        NotifyKeys.MQTT_BROKER,
        "expected mqtts://, because mqtt.tls.ca is given");
    reader.check(
        password == null || broker.tls() || mayBePlain || isLoopback(broker.host()),
        NotifyKeys.MQTT_BROKER,
        "expected mqtts://, because mqtt.password would be sent without TLS; set"
            + " mqtt.plain-password: true if the network is private");
    return new MqttOptions(
        broker,
        user == null || password == null ? null : new MqttOptions.Login(user, password),
        ca == null ? null : Path.of(ca),
        topicPrefix == null ? "" : topicPrefix);
  }

  private static @Nullable AlertmanagerOptions alertmanager(SettingsReader reader) {
    Key<URI> key =
        NotifyKeys.ALERTMANAGER_URL
            .as(NotifyConfig::url)
            .where(url -> url.getRawQuery() == null, "a URL without a query");
    URI url = reader.getIfGiven(key);
    checkPlain(
        reader,
        key,
        url,
        reader.get(NotifyKeys.ALERTMANAGER_PLAIN),
        NotifyKeys.ALERTMANAGER_PLAIN.name());
    Duration resolveAfter = reader.get(NotifyKeys.RESOLVE_AFTER);
    return url == null ? null : new AlertmanagerOptions(url, resolveAfter);
  }

  private static KafkaOptions kafka(SettingsReader reader) {
    Map<String, String> properties = reader.withPrefix(NotifyKeys.PROPERTIES_PREFIX, text -> text);
    properties.keySet().stream()
        .filter(OWN_PROPERTIES::contains)
        .forEach(
            name ->
                reader.problem(
                    NotifyKeys.PROPERTIES_PREFIX + name + ": decided by the server, remove it"));
    String alerts = reader.get(NotifyKeys.ALERTS_TOPIC);
    String undelivered = reader.get(NotifyKeys.UNDELIVERED_TOPIC);
    reader.require(
        !undelivered.equals(alerts),
        NotifyKeys.UNDELIVERED_TOPIC,
        "another topic than " + NotifyKeys.ALERTS_TOPIC.name());
    return new KafkaOptions(
        reader.get(NotifyKeys.BOOTSTRAP_SERVERS),
        alerts,
        undelivered,
        reader.get(NotifyKeys.GROUP),
        reader.get(NotifyKeys.CREATE_TOPICS),
        reader.get(NotifyKeys.PARTITIONS),
        reader.get(NotifyKeys.REPLICATION),
        reader.get(NotifyKeys.START_TIMEOUT),
        properties);
  }
}
