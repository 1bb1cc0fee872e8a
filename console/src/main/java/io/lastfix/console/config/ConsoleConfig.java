package io.lastfix.console.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.erasure.PseudonymKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;

/**
 * The console's configuration. {@code lastfix console} makes it from the job's configuration and
 * passes it as JSON, so that passwords are in no process list.
 *
 * @param address on which it listens
 * @param port 0: any free one
 * @param token that requests to the API need; null: none, which only a loopback address allows
 * @param historyMongo where History and the counts are
 * @param lastKnownLocationMongo where Last Known Location is
 * @param historyPrefix prefix of History's collections
 * @param lastKnownLocationCollection name of the collection
 * @param countsPrefix prefix of the counts' collections
 * @param pseudonymKey with which the job replaces users; null: it stores them as they are
 * @param live located records as they come; null: the job does not publish them
 * @param health whose health is shown
 * @param map a file in the format of PMTiles, which is the base map; null: the coast alone
 * @param queryLimit after which MongoDB aborts a query
 */
public record ConsoleConfig(
    String address,
    int port,
    @Nullable String token,
    MongoOptions historyMongo,
    MongoOptions lastKnownLocationMongo,
    String historyPrefix,
    String lastKnownLocationCollection,
    String countsPrefix,
    @Nullable PseudonymKey pseudonymKey,
    @Nullable LiveOptions live,
    HealthOptions health,
    @Nullable String map,
    Duration queryLimit) {
  /** A shorter token could be guessed. */
  public static final int LEAST_TOKEN_LENGTH = 16;

  private static final int GREATEST_PORT = 65_535;
  private static final Duration LONGEST_QUERY = Duration.ofMinutes(5);
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  /**
   * Checks the address, the port, the token and the limit.
   *
   * @throws IllegalArgumentException if one is invalid; says what was expected
   */
  public ConsoleConfig {
    if (port < 0 || port > GREATEST_PORT) {
      throw new IllegalArgumentException("port: expected 0 to 65535, found " + port);
    }
    if (token != null && !isToken(token)) {
      throw new IllegalArgumentException(
          "token: expected %d or more printable ASCII characters without blanks"
              .formatted(LEAST_TOKEN_LENGTH));
    }
    boolean isLoopback = isLoopback(address);
    if (token == null && !isLoopback) {
      throw new IllegalArgumentException(
          "address: %s is reachable from other machines, so a token is required: give --token-file"
              .formatted(address));
    }
    if (queryLimit.toMillis() < 1 || queryLimit.compareTo(LONGEST_QUERY) > 0) {
      throw new IllegalArgumentException("query limit: expected 1 ms to 5 min");
    }
  }

  private static boolean isToken(String text) {
    return text.length() >= LEAST_TOKEN_LENGTH && text.chars().allMatch(c -> c > ' ' && c < 127);
  }

  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "address: expected an address of this machine, or 0.0.0.0 for all; the name has none", e);
    }
  }

  /** Both collections in one database, with the names that the job uses by default. */
  public static ConsoleConfig defaults(MongoOptions mongo) {
    return new ConsoleConfig(
        "127.0.0.1",
        0,
        null,
        mongo,
        mongo,
        "history",
        "last_known_location",
        "counts",
        null,
        null,
        HealthOptions.NONE,
        null,
        Duration.ofSeconds(10));
  }

  /**
   * Reads what {@link #toJson} writes. Only {@code historyMongo.uri} is required; all other members
   * default to those of {@link #defaults}.
   *
   * @throws IllegalArgumentException if it is not that; says what was expected, without secrets
   */
  public static ConsoleConfig read(InputStream in) throws IOException {
    JsonNode json;
    try {
      json = JSON.readTree(in);
    } catch (JsonProcessingException e) {
      // Its message may repeat a password.
      throw new IllegalArgumentException("configuration: expected JSON");
    }
    MongoOptions history = mongo(json.path("historyMongo"));
    ConsoleConfig defaults = defaults(history);
    JsonNode lastKnownLocation = json.path("lastKnownLocationMongo");
    String key = json.path("pseudonymKey").textValue();
    ObjectNode health = JSON.valueToTree(HealthOptions.NONE);
    json.path("health").properties().forEach(it -> health.set(it.getKey(), it.getValue()));
    requireProperties("health.kafka", health.path("kafka"));
    return new ConsoleConfig(
        json.path("address").asText(defaults.address),
        json.path("port").asInt(defaults.port),
        json.path("token").textValue(),
        history,
        lastKnownLocation.isMissingNode() ? history : mongo(lastKnownLocation),
        json.path("historyPrefix").asText(defaults.historyPrefix),
        json.path("lastKnownLocationCollection").asText(defaults.lastKnownLocationCollection),
        json.path("countsPrefix").asText(defaults.countsPrefix),
        key == null ? null : new PseudonymKey(key),
        live(json.path("live")),
        JSON.convertValue(health, HealthOptions.class),
        json.path("map").textValue(),
        Duration.ofMillis(json.path("queryLimitMillis").asLong(defaults.queryLimit.toMillis())));
  }

  private static MongoOptions mongo(JsonNode json) {
    String uri = json.path("uri").textValue();
    if (uri == null) {
      throw new IllegalArgumentException("historyMongo.uri: expected the address of MongoDB");
    }
    return MongoOptions.defaults(uri, json.path("database").asText("lastfix"))
        .withTls(
            new MongoTls(
                json.path("caCertificates").textValue(),
                json.path("certificateAndKey").textValue()));
  }

  private static @Nullable LiveOptions live(JsonNode json) {
    if (json.isMissingNode() || json.isNull()) {
      return null;
    }
    if (!json.path("topic").isTextual()) {
      throw new IllegalArgumentException("live.topic: expected the topic of located records");
    }
    requireProperties("live.kafka", json.path("kafka"));
    return JSON.convertValue(json, LiveOptions.class);
  }

  /** Checked before Jackson reads them, since its message may repeat a password. */
  private static void requireProperties(String name, JsonNode json) {
    boolean areValues =
        json.properties().stream()
            .map(Map.Entry::getValue)
            .allMatch(it -> it.isValueNode() && !it.isNull());
    if (!json.isObject() || !areValues) {
      throw new IllegalArgumentException(
          name + ": expected an object with the properties of Kafka's clients, each with a value");
    }
  }

  /** Everything, including secrets. */
  public byte[] toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("address", address).put("port", port).put("token", token);
    json.set("historyMongo", json(historyMongo));
    json.set("lastKnownLocationMongo", json(lastKnownLocationMongo));
    json.set("live", JSON.valueToTree(live));
    json.set("health", JSON.valueToTree(health));
    json.put("historyPrefix", historyPrefix)
        .put("lastKnownLocationCollection", lastKnownLocationCollection)
        .put("countsPrefix", countsPrefix)
        .put("pseudonymKey", pseudonymKey == null ? null : pseudonymKey.secret())
        .put("map", map)
        .put("queryLimitMillis", queryLimit.toMillis());
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode json(MongoOptions mongo) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("uri", mongo.uri())
        .put("database", mongo.database())
        .put("caCertificates", mongo.tls().caCertificates())
        .put("certificateAndKey", mongo.tls().certificateAndKey());
  }

  /**
   * Whose data a page shows, without secrets: with another text, what a page knows may be wrong.
   */
  public String shown() {
    return List.of(
            historyMongo,
            lastKnownLocationMongo,
            historyPrefix,
            lastKnownLocationCollection,
            countsPrefix,
            pseudonymKey != null,
            String.valueOf(live),
            servers(live == null ? Map.of() : live.kafka()),
            health,
            health.analyticsJobName(),
            servers(health.kafka()),
            String.valueOf(map))
        .toString();
  }

  private static String servers(Map<String, String> kafka) {
    return kafka.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "");
  }

  /** Leaves out the token. */
  @Override
  public String toString() {
    return "ConsoleConfig[address=%s, port=%d, historyMongo=%s]"
        .formatted(address, port, historyMongo);
  }
}
