package io.lastfix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README of the integration tests lists each of them. */
class IntegrationTestsReadmeTest {
  private static final Path MODULE = Path.of("..", "integration-tests");

  @Test
  void eachTestIsListed() throws IOException {
    String readme = Files.readString(MODULE.resolve("README.md"));
    try (Stream<Path> files = Files.walk(MODULE.resolve("src/test/java"))) {
      assertThat(files.map(Path::toString).filter(file -> file.endsWith("IT.java")))
          .isNotEmpty()
          .allMatch(file -> readme.contains(file.replaceAll(".*/(\\w+)\\.java", "`$1`")));
    }
  }
}
