package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkUriTest {
  @Test
  void aHomeWithABlankInItsNameIsNotEncodedAndAnyOtherIsWrittenAsBefore(@TempDir Path folder)
      throws IOException {
    Path plain = Files.createDirectory(folder.resolve("home"));
    Path special = Files.createDirectory(folder.resolve("my home"));

    assertThat(FlinkCluster.flinkUri(plain)).isEqualTo(plain.toUri().toString());
    assertThat(FlinkCluster.flinkUri(special)).isEqualTo("file://" + special + "/");
  }
}
