package io.lastfix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README of the integration tests lists their packages, and the tests that are nightly. */
class IntegrationTestsReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path MODULE = ROOT.resolve("integration-tests");
  private static final Path PACKAGES = MODULE.resolve("src/test/java/io/lastfix");
  private static final String NIGHTLY = "\n## Nightly\n";

  /** Indented: of some of the tests of a class. */
  private static final Pattern ANNOTATION = Pattern.compile("(?m)^( *)@Nightly$");

  @Test
  void theTableOfPackagesListsEachThatThereIs() throws IOException {
    Set<String> packages =
        sources().stream()
            .map(file -> PACKAGES.relativize(file.getParent()).toString().replace('/', '.'))
            .collect(Collectors.toSet());

    assertThat(matches("^\\| `([a-z.]+)` \\|", readme()[0]))
        .extracting(row -> row.group(1))
        .containsExactlyInAnyOrderElementsOf(packages);
  }

  @Test
  void theTableOfNightlyTestsListsEachAndSaysWhetherItIsAllOfItsClass() throws IOException {
    Map<String, Boolean> listed =
        matches("^\\| `(\\w+)`(: [^|]+)? \\|", readme()[1].split("\n## ", -1)[0]).stream()
            .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2) == null));

    assertThat(listed).isNotEmpty().isEqualTo(nightly());
  }

  /** One that the script lacks would never run. */
  @Test
  void theScriptOfNightlyTestsListsEach() throws IOException {
    assertThat(matches("^(\\w+IT)(#\\S+)? \\S+$", Files.readString(ROOT.resolve(".ci/nightly"))))
        .extracting(row -> row.group(1))
        .containsExactlyInAnyOrderElementsOf(nightly().keySet());
  }

  /** Returns the part before the nightly tests, and the one about them. */
  private static String[] readme() throws IOException {
    String[] parts = Files.readString(MODULE.resolve("README.md")).split(NIGHTLY, -1);
    assertThat(parts).hasSize(2);
    return parts;
  }

  private static List<MatchResult> matches(String line, String text) {
    return Pattern.compile(line, Pattern.MULTILINE).matcher(text).results().toList();
  }

  /** Returns the classes with nightly tests, and whether all their tests are. */
  private static Map<String, Boolean> nightly() throws IOException {
    Map<String, Boolean> nightly = new TreeMap<>();
    for (Path file : sources()) {
      Matcher annotation = ANNOTATION.matcher(Files.readString(file));
      if (annotation.find()) {
        nightly.put(
            file.getFileName().toString().replace(".java", ""), annotation.group(1).isEmpty());
      }
    }
    return nightly;
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(PACKAGES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
