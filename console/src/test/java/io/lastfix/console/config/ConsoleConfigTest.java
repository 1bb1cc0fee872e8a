package io.lastfix.console.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.erasure.PseudonymKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleConfigTest {
  private static final MongoOptions MONGO = MongoOptions.defaults("mongodb://a/", "db");

  private static ConsoleConfig config(String address, @Nullable String token) {
    return new ConsoleConfig(
        address,
        8490,
        token,
        MONGO,
        MongoOptions.defaults("mongodb://b/", "other"),
        "h",
        "l",
        "c",
        new PseudonymKey("0123456789abcdef"),
        new LiveOptions("located", Map.of("bootstrap.servers", "k:9092")),
        new HealthOptions(
            "http://f/", "http://g/", Map.of("bootstrap.servers", "k:9092"), "j", "a", "g", "r"),
        "/maps/city.pmtiles",
        Duration.ofSeconds(3));
  }

  private static ConsoleConfig read(String json) throws IOException {
    return ConsoleConfig.read(
        new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void jsonHasEverything() throws IOException {
    ConsoleConfig config = config("127.0.0.1", "0123456789abcdef");

    assertThat(ConsoleConfig.read(new ByteArrayInputStream(config.toJson()))).isEqualTo(config);
  }

  @Test
  void whatIsAbsentIsAsByDefault() throws IOException {
    String mongo = "{'uri':'mongodb://a/','database':'db'}";

    assertThat(
            read(
                "{'historyMongo':%s,'lastKnownLocationMongo':%s,'health':{'flink':null}}"
                    .formatted(mongo, mongo)))
        .isEqualTo(ConsoleConfig.defaults(MONGO));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'historyMongo':{'uri':s3cret",
        "{'historyMongo':{'uri':'s3cret'}}",
        "{'historyMongo':'s3cret'}",
        "{'live':{'topic':'t','kafka':'s3cret'}}",
        "{'health':{'s3cret':1}}",
        "{'pseudonymKey':{'secret':'s3cret'}}",
        "{} s3cret",
        "'s3cret'",
        "",
      })
  void whatIsNoConfigurationIsRefusedAndNotRepeated(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("configuration: expected JSON as")
        .hasNoCause();
  }

  @Test
  void anAddressThatOthersReachNeedsAToken() {
    assertThatThrownBy(() -> config("0.0.0.0", null)).hasMessageContaining("--token-file");
    assertThat(config("0.0.0.0", "0123456789abcdef").token()).isNotNull();
    assertThat(config("localhost", null).token()).isNull();
  }

  @Test
  void aShortTokenIsRefusedAndNotShown() {
    assertThatThrownBy(() -> config("127.0.0.1", "short"))
        .hasMessageContaining("16 or more")
        .hasMessageNotContaining("short");
    assertThat(config("127.0.0.1", "0123456789abcdef").toString()).doesNotContain("0123456789");
  }
}
