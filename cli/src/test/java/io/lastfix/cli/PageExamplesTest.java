package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands that the pages of queries, the tutorial and the README show. */
class PageExamplesTest {
  private static final Path ROOT = Path.of("..");

  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}(?:\\./)?(lastfix [a-z].*)$");

  /** What the shell takes: a comment, or a file for the output. */
  private static final Pattern OF_THE_SHELL = Pattern.compile(" #.*| > .*");

  /** A variable of the shell, or a text that continues in the next line. */
  private static final Pattern UNFINISHED = Pattern.compile(".*\\$.*|[^\"]*\"[^\"]*");

  static List<String> examples() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(ROOT.resolve("README.md"), ROOT.resolve("docs/tutorial/README.md")));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/ask"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    List<String> examples = new ArrayList<>();
    for (Path page : pages) {
      COMMAND
          .matcher(Files.readString(page))
          .results()
          .map(line -> OF_THE_SHELL.matcher(line.group(1)).replaceAll(""))
          .filter(line -> !UNFINISHED.matcher(line).matches())
          .forEach(examples::add);
    }
    assertThat(examples).hasSizeGreaterThan(30);
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void isUnderstood(String example) {
    HelpPagesTest.assertUnderstood(example);
  }
}
