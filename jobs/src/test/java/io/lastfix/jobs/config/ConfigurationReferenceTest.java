package io.lastfix.jobs.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.kit.config.ConfigurationDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/reference/configuration.md} with the keys in the code; {@link
 * LocationJobConfigTest} does so with {@code config/location.yaml}. With {@code
 * -Dlastfix.reference=write} this writes both.
 */
class ConfigurationReferenceTest {
  private static final Path FILE = Path.of("..", "config", "location.yaml");
  private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");

  /** With the addresses set, a copy of this file would keep lastfix from using the local stack. */
  static final String YAML =
      ConfigurationDocument.yaml(
          """
          # The location job's configuration: every key with its default. The servers' addresses are
          # commented out, so that a copy of this file uses the local stack until you set yours.
          # This file is generated from LocationJobConfig.java; a test compares the two.
          #
          # "--set key=value" overrides it. ${NAME} stands for an environment variable and ${file:/path}
          # for the content of a file: keep secrets there. Nested maps work too.
          """,
          LocationJobConfig.keys(),
          Set.of(KafkaOptions.BOOTSTRAP_SERVERS, MongoKeys.URI),
          """

          # ---- keys of Kafka and Flink --------------------------------------------------------------------

          # The job passes each key after 'kafka.properties.' unchanged to every Kafka client, for example
          # security settings. It passes each key after 'flink.' unchanged to Flink; these override Lastfix's
          # own settings.
          # kafka.properties.security.protocol: SASL_SSL
          # flink.state.backend.type: rocksdb
          """);

  private static final String REFERENCE =
      ConfigurationDocument.page(
          """
          # Configuration

          Every key of the location job. [config/location.yaml](../../config/location.yaml) has
          the same keys with their defaults; `--set key=value` overrides a key. A duration or size
          has its unit in the value: `100 ms`, `5 min`, `4 mb`. A dash means that there is no
          default.

          Two prefixes take keys of other programs. Lastfix passes `kafka.properties.` to every Kafka
          client, and `flink.` to Flink; these override its own settings. `${NAME}` stands for an environment
          variable, and `${file:/path}` for the content of a file.

          `ConfigurationReferenceTest` (module `jobs`) writes this page and the file:

              mvn -pl jobs -am test -Dtest=ConfigurationReferenceTest \\
                  -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
          """,
          LocationJobConfig.keys(),
          "");

  @Test
  void thePageIsWhatTheCodeDocuments() throws IOException {
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(FILE, YAML);
      Files.writeString(PAGE, REFERENCE);
    }

    assertThat(Files.readString(PAGE))
        .as("after a change of a key, write the page with -Dlastfix.reference=write")
        .isEqualTo(REFERENCE);
  }
}
