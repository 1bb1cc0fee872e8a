package io.lastfix.kit.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {
  /** The example "abc" of FIPS 180-4. */
  private static final String OF_ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void textsBytesAndFilesHaveTheDigestOfTheStandard(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("abc"), "abc");

    assertThat(Sha256.of("abc")).isEqualTo(HexFormat.of().parseHex(OF_ABC));
    assertThat(Sha256.hex("abc")).isEqualTo(OF_ABC);
    assertThat(Sha256.hex("abc".getBytes(UTF_8))).isEqualTo(OF_ABC);
    assertThat(Sha256.hex(file)).isEqualTo(OF_ABC);
  }
}
