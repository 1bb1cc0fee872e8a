package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.kit.config.ConfigurationDocument;
import io.lastfix.kit.config.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code config/gateway.yaml} and {@code docs/reference/gateway.md} with the keys in the
 * code. With {@code -Dlastfix.reference=write} it writes both.
 */
class ConfigurationReferenceTest {
  private static final Path FILE = Path.of("..", "config", "gateway.yaml");
  private static final Path PAGE = Path.of("..", "docs", "reference", "gateway.md");

  private static final String YAML =
      ConfigurationDocument.yaml(
          """
          # The gateway's configuration: every key with its default. Kafka's address is commented out,
          # so that a copy of this file uses the local stack until you set yours. All routes are
          # closed until you open them (access). This file is generated from GatewayKeys.java and the
          # routes that it lists; a test compares them.
          #
          # "--set key=value" overrides it. ${NAME} stands for an environment variable and ${file:/path}
          # for the content of a file: keep secrets there. Nested maps work too.
          """,
          GatewayKeys.all(),
          Set.of(GatewayKeys.BOOTSTRAP_SERVERS),
          """

          # ---- keys with names of your own ----------------------------------------------------------------

          # After 'sdk.accept.' comes a client's name; the value is the range of versions that may write, in
          # npm's notation. Any other version of that client gets 426.
          # sdk.accept.example-sdk: ">=1.2.0 <3.0.0"

          # Each key after 'kafka.properties.' goes unchanged to every Kafka client, for example security
          # settings.
          # kafka.properties.security.protocol: SASL_SSL
          """);

  private static final String REFERENCE =
      ConfigurationDocument.page(
          """
          # Gateway

          Every key of the gateway. [config/gateway.yaml](../../config/gateway.yaml) has the same keys
          with their defaults; `--set key=value` overrides a key. A duration or size has its unit in the
          value: `100 ms`, `5 min`, `4 mb`. A dash means that there is no default. `${NAME}` stands for an
          environment variable, and `${file:/path}` for the content of a file.

          `ConfigurationReferenceTest` (module `gateway`) writes this page and the file:

              mvn -pl gateway -am test -Dtest=ConfigurationReferenceTest \\
                  -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
          """,
          GatewayKeys.all(),
          """

          ## Keys with names of your own

          | key | default | unit | meaning |
          |---|---|---|---|
          | `sdk.accept.CLIENT` | – | range of versions | Versions of a client that may write, in npm's notation: \
          `>=1.2.0 <3.0.0`. Any other version of that client gets 426. |
          | `kafka.properties.NAME` | – | text | Goes unchanged to every Kafka client, for example security settings. |
          """);

  @Test
  void theFileAndThePageAreWhatTheCodeDocuments() throws IOException {
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(FILE, YAML);
      Files.writeString(PAGE, REFERENCE);
    }

    assertThat(Files.readString(FILE))
        .as("after a change of a key, write the file with -Dlastfix.reference=write")
        .isEqualTo(YAML);
    assertThat(Files.readString(PAGE)).isEqualTo(REFERENCE);
  }

  @Test
  void noTwoKeysHaveOneName() {
    assertThat(GatewayKeys.all().stream().map(Key::name)).doesNotHaveDuplicates();
  }

  @Test
  void theFileSetsEveryKeyToItsDefault() {
    assertThat(GatewayConfig.load(FILE, List.of())).isEqualTo(GatewayConfig.load(null, List.of()));
  }
}
