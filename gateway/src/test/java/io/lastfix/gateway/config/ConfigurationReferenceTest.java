package io.lastfix.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code config/gateway.yaml} and {@code docs/reference/gateway.md} with the keys in the
 * code. With {@code -Dlastfix.reference=write} it writes both.
 */
class ConfigurationReferenceTest {
  private static final Path FILE = Path.of("..", "config", "gateway.yaml");
  private static final Path PAGE = Path.of("..", "docs", "reference", "gateway.md");

  @Test
  void theFileAndThePageAreWhatTheCodeDocuments() throws IOException {
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      ConfigurationDocument.main(new String[] {FILE.toString(), PAGE.toString()});
    }

    assertThat(Files.readString(FILE))
        .as("after a change of a key, write the file with -Dlastfix.reference=write")
        .isEqualTo(ConfigurationDocument.yaml());
    assertThat(Files.readString(PAGE)).isEqualTo(ConfigurationDocument.page());
  }

  @Test
  void theFileSetsEveryKeyToItsDefault() {
    assertThat(GatewayConfig.load(FILE, List.of())).isEqualTo(GatewayConfig.load(null, List.of()));
  }
}
