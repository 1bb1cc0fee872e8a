package io.lastfix.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class NeverPullIT {
  /** If its name were wrong, each test in a container would be skipped as one without an image. */
  @Test
  void theSettingsOfTestcontainersNameIt() throws IOException {
    Properties settings = new Properties();
    try (InputStream file = NeverPullIT.class.getResourceAsStream("/testcontainers.properties")) {
      settings.load(file);
    }

    assertThat(settings).containsEntry("pull.policy", NeverPull.class.getName());
  }
}
