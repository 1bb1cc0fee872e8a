package io.lastfix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README of the integration tests lists each package that has some. */
class IntegrationTestsReadmeTest {
  private static final Path MODULE = Path.of("..", "integration-tests");
  private static final Path PACKAGES = MODULE.resolve("src/test/java/io/lastfix");

  @Test
  void eachPackageWithTestsIsListed() throws IOException {
    String readme = Files.readString(MODULE.resolve("README.md"));
    try (Stream<Path> files = Files.walk(PACKAGES)) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith("IT.java"))
                  .map(file -> PACKAGES.relativize(file.getParent()).toString().replace('/', '.')))
          .isNotEmpty()
          .allMatch(name -> readme.contains("| `" + name + "` |"));
    }
  }
}
