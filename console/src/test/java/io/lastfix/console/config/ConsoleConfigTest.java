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
  void onlyTheAddressOfMongoDbIsRequired() throws IOException {
    assertThat(read("{'historyMongo':{'uri':'mongodb://a/','database':'db'}}"))
        .isEqualTo(ConsoleConfig.defaults(MONGO));
    assertThat(
            read(
                "{'historyMongo':{'uri':'mongodb://b/'},'health':{'flink':null},"
                    + "'lastKnownLocationMongo':{'uri':'mongodb://a/','database':'db'}}"))
        .returns(MONGO, ConsoleConfig::lastKnownLocationMongo)
        .returns(MongoOptions.defaults("mongodb://b/", "lastfix"), ConsoleConfig::historyMongo)
        .returns(HealthOptions.NONE, ConsoleConfig::health);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'historyMongo':{'uri':s3cret",
        "{'historyMongo':{'uri':'s3cret'}}",
        "{'historyMongo':{'uri':null}}",
        "{'historyMongo':'s3cret'}",
        "{}",
        "null",
        "",
        "'s3cret'",
        "{MONGO} s3cret",
        "{MONGO,'live':{'topic':'t','kafka':'s3cret'}}",
        "{MONGO,'live':{'topic':'t','kafka':null}}",
        "{MONGO,'live':{'topic':'t'}}",
        "{MONGO,'live':{'topic':'t','kafka':{'a':null,'b':'s3cret'}}}",
        "{MONGO,'live':{'topic':null,'kafka':{}}}",
        "{MONGO,'live':'s3cret'}",
        "{MONGO,'health':{'kafka':null}}",
        "{MONGO,'health':{'s3cret':1}}",
        "{MONGO,'health':null}",
        "{MONGO,'address':null}",
        "{MONGO,'lastKnownLocationMongo':null}",
        "{MONGO,'pseudonymKey':{'secret':'s3cret'}}",
        "{MONGO,'port':1,'port':'s3cret'}",
      })
  void whatIsNoConfigurationIsRefusedAndNotRepeated(String json) {
    assertThatThrownBy(() -> read(json.replace("MONGO", "'historyMongo':{'uri':'mongodb://a/'}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected ")
        .hasMessageNotContaining("s3cret")
        .hasNoCause();
  }

  @Test
  void aWrongValueIsNamed() {
    assertThatThrownBy(() -> read("{'historyMongo':{'uri':'mongodb://a/'},'port':70000}"))
        .hasMessage("port: expected 0 to 65535, found 70000");
    assertThatThrownBy(() -> read("{}"))
        .hasMessage("historyMongo.uri: expected the address of MongoDB");
    assertThatThrownBy(() -> read("{'historyMongo':{'uri':secret"))
        .hasMessage("configuration: expected JSON as \"lastfix console\" writes it");
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
