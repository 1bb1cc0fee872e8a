package io.lastfix.notify;

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
 * Compares {@code config/notify.yaml} and {@code docs/reference/notify.md} with the keys in the
 * code. With {@code -Dlastfix.reference=write} it writes both.
 */
class ConfigurationReferenceTest {
  private static final Path FILE = Path.of("..", "config", "notify.yaml");
  private static final Path PAGE = Path.of("..", "docs", "reference", "notify.md");

  private static final String YAML =
      ConfigurationDocument.yaml(
          """
          # The configuration of notify, which delivers alerts: every key with its default. Kafka's address
          # is commented out, so that a copy of this file uses the local stack until you set yours. This
          # file is generated from NotifyKeys.java; a test compares them.
          #
          # "--set key=value" overrides it. ${NAME} stands for an environment variable and ${file:/path}
          # for the content of a file: keep secrets there. Nested maps work too.
          """,
          NotifyKeys.all(),
          Set.of(NotifyKeys.BOOTSTRAP_SERVERS),
          """

          # ---- keys with names of your own ----------------------------------------------------------------

          # After 'webhooks.' comes the name that rules have. The secret signs each request, as the Standard
          # Webhooks specification says: whsec_ and 24 to 64 bytes as base64. While the receiver changes
          # it, give both. http:// may lead off loopback only with plain-http: true.
          # webhooks.dispatch.url: https://dispatch.example.com/alerts
          # webhooks.dispatch.secret: ${file:/run/secrets/dispatch}
          # webhooks.dispatch.plain-http: false

          # Each key after 'kafka.properties.' goes unchanged to every Kafka client, for example security
          # settings.
          # kafka.properties.security.protocol: SASL_SSL
          """);

  private static final String REFERENCE =
      ConfigurationDocument.page(
          """
          # Notify

          Every key of notify. [config/notify.yaml](../../config/notify.yaml) has the same keys with their
          defaults; `--set key=value` overrides a key. A duration has its unit in the value: `100 ms`,
          `5 min`. A dash means that there is no default. `${NAME}` stands for an environment variable, and
          `${file:/path}` for the content of a file.

          `ConfigurationReferenceTest` (module `notify`) writes this page and the file:

              mvn -pl notify -am test -Dtest=ConfigurationReferenceTest \\
                  -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
          """,
          NotifyKeys.all(),
          """

          ## Keys with names of your own

          | key | default | unit | meaning |
          |---|---|---|---|
          | `webhooks.NAME.url` | – | text | Where alerts for the webhook of that name are posted. |
          | `webhooks.NAME.secret` | – | text | Signs each request: `whsec_` and 24 to 64 bytes as base64. \
          While the receiver changes it, a list of two. |
          | `webhooks.NAME.plain-http` | `false` | true or false | Whether `http://` may lead off loopback. Only \
          in a private network. |
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
    assertThat(NotifyKeys.all().stream().map(Key::name)).doesNotHaveDuplicates();
  }

  @Test
  void theFileSetsEveryKeyToItsDefault() {
    assertThat(NotifyConfig.load(FILE, List.of())).isEqualTo(NotifyConfig.load(null, List.of()));
  }
}
