package io.lastfix.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the README says is what the code does. */
class ReadmeTest {
  private static final Path README = Path.of("README.md");
  private static final Path TEST =
      Path.of("src/test/java/io/lastfix/testcontainers/LastfixContainersIT.java");

  /** That test compiles and runs them. */
  @Test
  void itsLinesAreThoseOfTheTest() throws IOException {
    List<String> example =
        Files.readAllLines(README).stream()
            .dropWhile(line -> !line.equals("```java"))
            .skip(1)
            .takeWhile(line -> !line.equals("```"))
            .map(String::strip)
            .toList();

    assertThat(example).hasSizeGreaterThan(5);
    assertThat(Files.readAllLines(TEST).stream().map(String::strip).toList())
        .containsSubsequence(example);
  }

  @Test
  void itNamesEachImageWithItsOverrides() throws IOException {
    String text = Files.readString(README);

    for (ServerImage image : ServerImage.values()) {
      assertThat(text)
          .contains(
              "`%s` | `%s` | `%s`"
                  .formatted(
                      image.name(name -> null, name -> null), image.property(), image.variable()));
    }
  }
}
