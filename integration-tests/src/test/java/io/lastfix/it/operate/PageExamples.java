package io.lastfix.it.operate;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.Installation;
import io.lastfix.recipe.PageCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The examples of the {@code lastfix} command that can run after the demo. */
final class PageExamples {
  /** Why an example of the pages for readers of the demo is left out, by a pattern of its line. */
  private static final Map<String, String> LEFT_OUT =
      Map.of(
          "lastfix (demo|down|up|console)\\b.*",
          "it starts or stops servers, or is one: tests of DemoIT and ConsoleIT",
          "lastfix counts .*--follow",
          "it runs until Ctrl-C: CountsFollowIT",
          "lastfix sql",
          "it is a dialogue",
          "lastfix sql -f .*",
          "the reader writes the file: SqlIT has the queries of sql-queries.md",
          "lastfix analyze .*",
          "it takes a minute, and the demo has run it: RecountIT",
          ".*\\$OURS.*|lastfix where b-7|.*--reason missing-field.*|.*job\\.name=try",
          "it is a part of the tutorial's own format, which runs as a whole");

  /** What the demo's state can answer of the operator's pages; all else changes something. */
  private static final Pattern QUERY =
      Pattern.compile(
          "lastfix (status|top|where|history|near|within|at|during|audit)\\b.*"
              + "|lastfix partitions (list|stats)\\b.*"
              + "|lastfix replay-rejected .*--(list|dry-run)\\b.*");

  /** Why a query of the operator's pages is left out. */
  private static final Map<String, String> LEFT_OUT_OF_OPERATION =
      Map.of(
          ".*/etc/lastfix/.*",
          "it reads the file of an installed service",
          ".*--signatures.*",
          "it needs the keys of a gateway: SendersIT",
          ".*--from TIME",
          "the reader fills in the time");

  private static final String INDENT = "    ";

  private PageExamples() {}

  /** Returns those of the pages on queries, of the tutorial and of the README. */
  static List<PageCommand> ofReaders() throws IOException {
    return without(PageCommand.in("README.md", "docs/tutorial", "docs/ask"), LEFT_OUT);
  }

  /** Returns the queries in the operator's pages. */
  static List<PageCommand> ofOperators() throws IOException {
    return without(
        PageCommand.in("docs/operate", "docs/troubleshooting.md").stream()
            .filter(example -> QUERY.matcher(example.line()).matches())
            .toList(),
        LEFT_OUT_OF_OPERATION);
  }

  /** Returns each of the others once. */
  private static List<PageCommand> without(List<PageCommand> examples, Map<String, String> rules) {
    rules.forEach(
        (pattern, reason) ->
            assertThat(examples)
                .as("'%s' leaves out some: %s", pattern, reason)
                .anyMatch(example -> example.line().matches(pattern)));
    Map<String, PageCommand> others = new LinkedHashMap<>();
    for (PageCommand example : examples) {
      if (rules.keySet().stream().noneMatch(example.line()::matches)) {
        others.putIfAbsent(example.line(), example);
      }
    }
    return List.copyOf(others.values());
  }

  /**
   * Returns the tutorial's own format as lines of a shell, without the end of the whole stack.
   *
   * @param folder for its files, instead of {@code /tmp}
   */
  static String ownFormat(Path folder) throws IOException {
    String page = Files.readString(Installation.root().resolve("docs/tutorial/README.md"));
    return page.substring(page.indexOf("\n## 3. "), page.indexOf("\n## Next"))
        .lines()
        .filter(line -> line.startsWith(INDENT))
        .map(line -> line.substring(INDENT.length()))
        .filter(line -> !line.equals("./lastfix down"))
        .collect(joining("\n"))
        .replace("/tmp/", folder + "/");
  }
}
