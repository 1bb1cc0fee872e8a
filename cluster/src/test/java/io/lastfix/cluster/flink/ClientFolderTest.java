package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientFolderTest {
  @Test
  void theLogIsInTheFolderWhateverLettersTheHomeHas(@TempDir Path directory) throws Exception {
    ClientFolder folder =
        ClientFolder.create(
            directory.resolve("home of \u00fc \u6771\\t"), "run-", Duration.ofDays(1));

    // As Log4j reads it.
    Properties logging = new Properties();
    try (InputStream in = Files.newInputStream(folder.path().resolve("log4j-cli.properties"))) {
      logging.load(in);
    }

    assertThat(logging.getProperty("appender.file.fileName")).isEqualTo(folder.log().toString());
  }
}
