package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.DevicesOptions;
import io.lastfix.gateway.config.LimitOptions;
import io.lastfix.gateway.config.MqttOptions;
import io.lastfix.kit.config.ConfigurationException;
import io.lastfix.kit.config.Settings;
import io.lastfix.kit.net.MqttAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.semver4j.Semver;

/** Defaults, every kind of value, and each message of a wrong one. */
class GatewayConfigTest {
  private static GatewayConfig config(String... overrides) {
    return GatewayConfig.from(Settings.load(null, List.of(overrides), name -> null));
  }

  @Test
  void byDefaultNothingIsOpen() {
    GatewayConfig config = config();

    assertThat(config.access().modes())
        .containsOnlyKeys("records", "osmand", "owntracks", "openschema", "c2")
        .allSatisfy((route, mode) -> assertThat(mode).isEqualTo(AccessMode.CLOSED));
    assertThat(config.http().address()).isEqualTo("127.0.0.1");
    assertThat(config.http().tls()).isNull();
    assertThat(config.limits())
        .isEqualTo(new LimitOptions(1_024_000, 16 << 20, 200, 64 << 20, 4_096, 128));
    assertThat(config.kafka().topics(List.of("json"))).containsExactly("lastfix.location.json");
    assertThat(config.kafka().replication()).isEqualTo((short) -1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"devices.enabled=true", "access.osmand=basic"})
  void secretsGoOverLoopbackOrTlsOnly(String takesSecrets, @TempDir Path directory)
      throws Exception {
    String users =
        "access.basic-users="
            + Files.writeString(directory.resolve("users"), "jane:" + "0".repeat(64));

    assertThatThrownBy(() -> config(takesSecrets, users, "http.address=0.0.0.0"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "http.address: passwords, tokens or secrets would be sent without TLS")
        .hasMessageContaining("http.plain-behind-proxy: true");
    assertThat(config(takesSecrets, users, "http.address=127.0.0.2").http().tls()).isNull();
    assertThat(
            config(takesSecrets, users, "http.address=0.0.0.0", "http.plain-behind-proxy=true")
                .http()
                .address())
        .isEqualTo("0.0.0.0");
    assertThat(config("access.osmand=unsigned", "http.address=0.0.0.0").http().tls())
        .as("nobody sends a secret there")
        .isNull();
  }

  @Test
  void theBudgetHasRoomForTheLargestRequest() {
    assertThatThrownBy(() -> config("limits.max-bytes=60 kb", "limits.budget=60 kb"))
        .hasMessageContaining("limits.budget: expected at least 64 kb more than limits.max-bytes");
  }

  @Test
  void oneMessageNamesEveryWrongKey(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("gateway.yaml");
    Files.writeString(
        file,
        """
        http:
          port: 70000
          idle-timeout: 5 parsecs
        limits.max-bytes: 1 tb
        acces.records: unsigned
        access.records: public
        kafka.create-topics: maybe
        """);

    assertThatThrownBy(
            () ->
                GatewayConfig.from(
                    Settings.load(
                        file,
                        List.of("sdk.accept.acme=rubbish", "kafka.properties.acks=1"),
                        name -> null)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            """
            The gateway's configuration has 8 problems:
              gateway.yaml:5: acces.records: unknown key
              gateway.yaml:2: http.port: expected 0 to 65535, found '70000'
              gateway.yaml:3: http.idle-timeout: expected a duration from 1 ms to 24 h such as 200 ms, 5 s or 1 min, found '5 parsecs'
              gateway.yaml:6: access.records: expected closed, unsigned, basic or signed, found 'public'
              gateway.yaml:4: limits.max-bytes: expected a size from 1 kb to 1 gb such as 64 kb or 16 mb, found '1 tb'
              --set: sdk.accept.acme: expected a range such as >=1.2.0 <3.0.0, found 'rubbish'
              kafka.properties.acks: decided by the gateway, remove it
              gateway.yaml:7: kafka.create-topics: expected true or false, found 'maybe'"""
                .replace("\n", System.lineSeparator()));
  }

  @Test
  void aQuotaHasRoomForTheLargestBody() {
    assertThatThrownBy(() -> config("limits.max-bytes=4 mb", "quota.bytes-per-day=2 mb"))
        .hasMessageContaining(
            "quota.bytes-per-day: expected at least limits.max-bytes (4194304 bytes), because a"
                + " larger body would never fit: raise it, lower limits.max-bytes, or set"
                + " quota.enabled: false");
    assertThatThrownBy(() -> config("quota.bytes-per-day=1 kb"))
        .hasMessageContaining("--set: quota.bytes-per-day: expected at least limits.max-bytes");
    assertThat(config("limits.max-bytes=4 mb", "quota.enabled=false").quota()).isNull();
  }

  @Test
  void whatCannotWorkIsRefused() {
    assertThatThrownBy(
            () ->
                config(
                    "profiles.names=json, mlp, json",
                    "devices.max-staleness=500 ms",
                    "http.address=nosuch.invalid",
                    "kafka.properties.partitioner.class=RoundRobinPartitioner",
                    "kafka.properties.partitioner.ignore.keys=true"))
        .hasMessageContaining("profiles.names: expected each name once, found 'json, mlp, json'")
        .hasMessageContaining("devices.max-staleness: expected 10 s to 24 h, found '500 ms'")
        .hasMessageContaining("http.address: expected an address of this machine")
        .hasMessageContaining(
            "kafka.properties.partitioner.class: decided by the gateway, remove it")
        .hasMessageContaining(
            "kafka.properties.partitioner.ignore.keys: decided by the gateway, remove it");
  }

  @Test
  void aFileThatIsAbsentIsOneProblem(@TempDir Path directory) throws Exception {
    Path certificate = Files.writeString(directory.resolve("certificate.pem"), "x");

    assertThatThrownBy(
            () ->
                config(
                    "http.address=0.0.0.0",
                    "http.tls.certificate=" + certificate,
                    "http.tls.key=nokey",
                    "access.records=basic",
                    "access.basic-users=nofile"))
        .hasMessage(
            """
            The gateway's configuration has 2 problems:
              --set: http.tls.key: expected a file that can be read, found 'nokey'
              --set: access.basic-users: expected a file that can be read, found 'nofile'"""
                .replace("\n", System.lineSeparator()));
  }

  @Test
  void valuesThatNeedEachOtherAreChecked() {
    assertThatThrownBy(
            () ->
                config(
                    "limits.max-bytes=1 mb",
                    "limits.max-opened-bytes=1000 kb",
                    "limits.budget=1000 kb",
                    "access.osmand=basic"))
        .hasMessageContaining("access.basic-users: expected a file, because a route is 'basic'")
        .hasMessageContaining("limits.max-opened-bytes: expected at least limits.max-bytes")
        .hasMessageContaining("limits.budget: expected at least 64 kb more than limits.max-bytes");
  }

  @Test
  void signaturesNeedDevicesAndARouteWhoseClientsSign(@TempDir Path directory) {
    assertThatThrownBy(
            () ->
                config(
                    "access.records=signed",
                    "access.osmand=signed",
                    "access.owntracks=signed",
                    "access.openschema=signed",
                    "devices.group-keys=" + directory.resolve("absent")))
        .hasMessageContaining("devices.enabled: expected true, because access.records is 'signed'")
        .hasMessageContaining(
            "access.osmand: expected closed, unsigned or basic, because no client")
        .hasMessageContaining("access.owntracks: expected closed, unsigned or basic")
        .hasMessageContaining("access.openschema: expected closed, unsigned or basic")
        .hasMessageContaining("devices.group-keys: expected a folder");

    DevicesOptions devices =
        config(
                "access.records=signed",
                "devices.enabled=true",
                "devices.group-keys=" + directory,
                "devices.signature-tolerance=30 s")
            .devices();
    assertThat(devices.groupKeys()).isEqualTo(directory);
    assertThat(devices.topic()).isEqualTo("lastfix.devices");
    assertThat(devices.tolerance()).hasSeconds(30);
  }

  @Test
  void aBrokerIsOptionalAndItsPasswordIsNeverShown() {
    assertThat(config().mqtt()).isNull();

    MqttOptions mqtt =
        config(
                "mqtt.broker=mqtts://broker.example",
                "mqtt.owntracks=unsigned",
                "mqtt.client-id-file=/var/lib/gateway-1",
                "mqtt.user=gateway",
                "mqtt.password=hunter2hunter2")
            .mqtt();

    assertThat(mqtt.broker()).isEqualTo(new MqttAddress("broker.example", 8883, true));
    assertThat(mqtt.records()).isEqualTo(AccessMode.CLOSED);
    assertThat(mqtt.session().expiry()).hasDays(7);
    assertThat(mqtt.login().password()).isEqualTo("hunter2hunter2");
    assertThat(mqtt.toString()).contains("gateway-1").doesNotContain("hunter2");
  }

  @Test
  void aPasswordGoesToNoRemoteBrokerWithoutTlsUnlessThatIsWanted() {
    String[] remote = {
      "mqtt.broker=mqtt://192.0.2.1",
      "mqtt.records=unsigned",
      "mqtt.user=g",
      "mqtt.password=p",
      "mqtt.client-id-file=/var/lib/gateway-1"
    };

    assertThatThrownBy(() -> config(remote))
        .hasMessageContaining("mqtt.broker: expected mqtts://, because mqtt.password would be sent")
        .hasMessageContaining("mqtt.plain-password: true");
    assertThat(
            config(
                    remote[0],
                    remote[1],
                    remote[2],
                    remote[3],
                    remote[4],
                    "mqtt.plain-password=true")
                .mqtt())
        .isNotNull();
  }

  @Test
  void whatMqttCannotSendIsRefusedByItsKey() {
    assertThatThrownBy(() -> config("mqtt.broker=mqtt://127.0.0.1:99999"))
        .hasMessageContaining("mqtt.broker: expected a port from 1 to 65535");
    assertThatThrownBy(
            () ->
                config(
                    "mqtt.broker=mqtt://127.0.0.1",
                    "mqtt.records=unsigned",
                    "limits.max-bytes=128 mb",
                    "limits.max-opened-bytes=128 mb",
                    "limits.budget=256 mb",
                    "mqtt.budget=128 mb"))
        .hasMessageContaining("limits.max-bytes: expected up to 127 mb with mqtt.broker");
  }

  @Test
  void theKeysOfABrokerAreCheckedTogether() {
    assertThatThrownBy(
            () -> config("mqtt.records=signed", "mqtt.owntracks=signed", "mqtt.user=gateway"))
        .hasMessageContaining("mqtt.broker: expected an address")
        .hasMessageContaining("devices.enabled: expected true, because mqtt.records is 'signed'")
        .hasMessageContaining("mqtt.owntracks: expected closed or unsigned")
        .hasMessageContaining("mqtt.user: expected beside mqtt.password");
    assertThatThrownBy(() -> config("mqtt.broker=mqtt://127.0.0.1", "mqtt.budget=10 kb"))
        .hasMessageContaining("with both closed no message is accepted")
        .hasMessageContaining("mqtt.budget: expected at least limits.max-bytes");
    assertThatThrownBy(() -> config("mqtt.broker=mqtt://gateway:hunter2hunter2@127.0.0.1"))
        .hasMessageContaining("mqtt.broker: expected mqtt://HOST:PORT or mqtts://HOST:PORT")
        .hasMessageNotContaining("hunter2");
    assertThatThrownBy(() -> config("mqtt.session-expiry=2 weeks"))
        .hasMessageContaining("expected a duration from 1 s to 365 d");
  }

  @Test
  void aCertificateNeedsAKeyAndBothHaveToBeThere(@TempDir Path directory) throws Exception {
    Path certificate = Files.writeString(directory.resolve("certificate.pem"), "");

    assertThatThrownBy(() -> config("http.tls.certificate=" + certificate))
        .hasMessageContaining("http.tls.key: expected beside http.tls.certificate");
    assertThatThrownBy(() -> config("http.tls.key=/not/there.pem"))
        .hasMessageContaining("http.tls.key: expected a file that can be read");
  }

  @Test
  void aSecretIsNotRepeated(@TempDir Path directory) throws Exception {
    Path users =
        Files.writeString(directory.resolve("users"), "# users\njane:in-clear-by-mistake\n");

    assertThatThrownBy(() -> config("access.basic-users=" + users))
        .hasMessageContaining("in each line, not so in line 2")
        .hasMessageNotContaining("in-clear-by-mistake");
    assertThatThrownBy(() -> config("http.port=password1234"))
        .hasMessageNotContaining("password1234");
    assertThatThrownBy(() -> config("http.port=${SECRET}"))
        .hasMessageContaining("environment variable SECRET is not set");
  }

  @Test
  void aReferenceIsResolved() {
    assertThat(
            GatewayConfig.from(
                    Settings.load(
                        null, List.of("http.address=${HOST}"), Map.of("HOST", "0.0.0.0")::get))
                .http()
                .address())
        .isEqualTo("0.0.0.0");
  }

  @ParameterizedTest
  @CsvSource({"200 ms,200", "5 s,5000", "5s,5000", "2 min,120000", "24 h,86400000"})
  void durationsHaveTheirUnitInTheValue(String text, long millis) {
    assertThat(config("http.idle-timeout=" + text).http().idleTimeout())
        .isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"'>=1.2.0 <3.0.0',1.2.0,true", "'>=1.2.0 <3.0.0',3.0.0,false", "^2.1,2.9.0,true"})
  void rangesAreThoseOfNpm(String range, String version, boolean accepted) {
    assertThat(
            config("sdk.accept.acme=" + range)
                .sdk()
                .ranges()
                .get("acme")
                .contains(new Semver(version)))
        .isEqualTo(accepted);
  }
}
