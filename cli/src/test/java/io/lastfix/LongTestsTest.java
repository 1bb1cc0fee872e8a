package io.lastfix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The unit tests that {@code mvn test} leaves out: {@code mvn verify} runs each of them. */
class LongTestsTest {
  private static final Path ROOT = Path.of("..");
  private static final String LIST = ".mvn/long-tests.txt";

  @Test
  void theBuildRunsByTheSameListWhatItLeavesOut() throws IOException {
    String file = "${maven.multiModuleProjectDirectory}/" + LIST;

    assertThat(Files.readString(ROOT.resolve("pom.xml")))
        .containsOnlyOnce("<excludesFile>")
        .containsSubsequence(
            "<excludesFile>" + file + "</excludesFile>",
            "<phase>integration-test</phase>",
            "<goal>test</goal>",
            "<includesFile>" + file + "</includesFile>",
            "<artifactId>maven-failsafe-plugin</artifactId>");
  }

  /** The list's form matches no nested class, so the build would not run its tests at all. */
  @Test
  void eachLineNamesATestWithoutNestedClasses() throws IOException {
    Map<String, String> tests = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        Path sources = module.resolve("src/test/java");
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(it -> it.toString().endsWith("Test.java")).toList()) {
              tests.merge("**/" + file.getFileName(), Files.readString(file), String::concat);
            }
          }
        }
      }
    }

    List<String> lines =
        Files.readAllLines(ROOT.resolve(LIST)).stream()
            .filter(line -> !line.startsWith("#"))
            .toList();
    assertThat(lines)
        .isNotEmpty()
        .allSatisfy(line -> assertThat(tests.keySet()).contains(line))
        .allSatisfy(line -> assertThat(tests.get(line)).doesNotContain("@Nested"));
  }
}
