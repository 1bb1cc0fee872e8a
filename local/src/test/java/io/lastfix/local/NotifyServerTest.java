package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.kit.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotifyServerTest {
  private static final Map<String, String> RECEIVERS = Map.of("mqtt.broker", "mqtt://127.0.0.1:1");

  @TempDir private Path directory;

  @Test
  void aFirstStartWritesAWebhookWithASecretThatIsDrawnOnce() throws Exception {
    Path file = directory.resolve("notify.yaml");

    NotifyServer.writeIfMissing(file);

    Map<String, String> settings = Settings.load(file, List.of(), name -> null).resolved();
    assertThat(settings).containsOnlyKeys("webhooks.dispatch.url", "webhooks.dispatch.secret");
    assertThat(settings.get("webhooks.dispatch.secret")).matches("whsec_[A-Za-z0-9+/]{43}=");
    for (String name : List.of("notify.yaml", "dispatch.secret")) {
      assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
    Files.writeString(file, "");
    NotifyServer.writeIfMissing(file);
    assertThat(file).isEmptyFile();
    Files.delete(file);
    NotifyServer.writeIfMissing(file);
    assertThat(Settings.load(file, List.of(), name -> null).resolved()).isEqualTo(settings);
  }

  @Test
  void theReceiversOfTheStackCountUnlessTheFileNamesOthers() throws Exception {
    Path file = directory.resolve("notify.yaml");

    assertThat(NotifyServer.settings(file, 7, "127.0.0.1:9092", RECEIVERS))
        .contains(
            "http.port=7",
            "kafka.bootstrap-servers=127.0.0.1:9092",
            "mqtt.broker=mqtt://127.0.0.1:1");

    Files.writeString(file, "mqtt: {broker: mqtts://broker.example}");
    assertThat(NotifyServer.settings(file, 7, "127.0.0.1:9092", RECEIVERS))
        .noneMatch(setting -> setting.startsWith("mqtt"));
  }
}
