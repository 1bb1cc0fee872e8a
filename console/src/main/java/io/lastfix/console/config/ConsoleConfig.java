package io.lastfix.console.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.PseudonymKey;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
          .addModule(new JavaTimeModule())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * Checks the address, the port, the token and the limit.
   *
   * @throws IllegalArgumentException if one is invalid; says what was expected
   */
  public ConsoleConfig {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(lastKnownLocationMongo, "lastKnownLocationMongo");
    Objects.requireNonNull(health, "health");
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
   * Reads what {@link #toJson} writes. Only {@code historyMongo.uri} is required; absent members
   * have the defaults of {@link #defaults}.
   *
   * @throws IllegalArgumentException if the JSON is invalid; the message contains no secret
   */
  public static ConsoleConfig read(InputStream in) throws IOException {
    try {
      JsonNode given = JSON.readTree(in);
      JsonNode mongo = given.path("historyMongo");
      String uri = mongo.path("uri").textValue();
      if (uri == null) {
        throw new IllegalArgumentException("historyMongo.uri: expected the address of MongoDB");
      }
      ObjectNode all = JSON.valueToTree(defaults(MongoOptions.defaults(uri, "lastfix")));
      // Last Known Location is beside History, unless the JSON has its own address.
      JSON.readerForUpdating(all.path("lastKnownLocationMongo")).readValue(mongo);
      JSON.readerForUpdating(all).readValue(given);
      return JSON.treeToValue(all, ConsoleConfig.class);
    } catch (JsonProcessingException e) {
      // Jackson's messages may repeat a password; those of our own constructors do not.
      throw e.getCause() instanceof IllegalArgumentException ours
              && e instanceof ValueInstantiationException
          ? ours
          : new IllegalArgumentException(
              "configuration: expected JSON as \"lastfix console\" writes it");
    }
  }

  /** Everything, including secrets. */
  public byte[] toJson() throws JsonProcessingException {
    return JSON.writeValueAsBytes(this);
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
