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
import java.util.Set;
import java.util.stream.Stream;

/** The examples of the {@code lastfix} command that can run after the demo. */
final class PageExamples {
  private static final String TUTORIAL = "docs/tutorial/README.md";
  private static final String INDENT = "    ";

  /**
   * A reason to leave out examples.
   *
   * @param page the begin of their page's path
   * @param line a pattern of the whole line
   */
  private record LeftOut(String page, String line, String reason) {
    LeftOut(String line, String reason) {
      this("", line, reason);
    }

    boolean matches(PageCommand example) {
      return example.page().startsWith(page) && example.line().matches(line);
    }
  }

  private static final String OWN_FORMAT =
      "it is a part of the tutorial's own format, which runs as a whole";

  /** What is left out of the pages for readers of the demo; all else runs. */
  private static final List<LeftOut> OF_READERS =
      Stream.concat(
              commands(
                  "it starts or stops servers, or is one: tests of DemoIT and ConsoleIT",
                  "demo",
                  "down",
                  "up",
                  "console"),
              Stream.of(
                  new LeftOut("lastfix counts .*--follow", "it runs until Ctrl-C: CountsFollowIT"),
                  new LeftOut("lastfix sql", "it is a dialogue"),
                  new LeftOut(
                      "lastfix sql -f .*",
                      "the reader writes the file: SqlIT has the queries of sql-queries.md"),
                  new LeftOut("lastfix analyze all .*", "it takes a minute; the demo has run it"),
                  new LeftOut("lastfix analyze late", "it would find nothing to add: CountsIT"),
                  new LeftOut(TUTORIAL, ".*\\$OURS\\b.*", OWN_FORMAT),
                  new LeftOut(TUTORIAL, "lastfix where b-7", OWN_FORMAT),
                  new LeftOut(TUTORIAL, ".* --reason missing-field .*", OWN_FORMAT),
                  new LeftOut(TUTORIAL, ".* --set job\\.name=try", OWN_FORMAT)))
          .toList();

  /** The commands of the operator's pages that the demo's state can answer. */
  private static final Set<String> QUERIES =
      Set.of("status", "top", "audit", "drain", "replay-rejected", "size");

  /** What is left out of the operator's pages; all else is a query. */
  private static final List<LeftOut> OF_OPERATORS =
      Stream.concat(
              commands(
                  "it changes servers, jobs or data, or is a server",
                  "alerts",
                  "analyze",
                  "catalog",
                  "console",
                  "demo",
                  "forget",
                  "gateway",
                  "notify",
                  "provision",
                  "push",
                  "rebuild-lkl",
                  "relocate",
                  "stop",
                  "submit",
                  "supervise"),
              Stream.of(
                  new LeftOut("lastfix replay-rejected --reason \\S+", "it sends messages again"),
                  new LeftOut("lastfix group .*", "it needs groups of devices: SendersIT"),
                  new LeftOut(".* --signatures .*", "it needs the keys of a gateway: SendersIT"),
                  new LeftOut("lastfix upgrade .*", "it needs another jar: UpgradeCommandIT"),
                  new LeftOut(".*/etc/lastfix/.*", "it reads the file of an installed service"),
                  new LeftOut(".* --from TIME", "the reader fills in the time"),
                  new LeftOut(
                      "lastfix drain && lastfix audit",
                      "the demo's job has not the defaults; the line with --config runs"),
                  new LeftOut(
                      "docs/operate/erase.md", "lastfix where .*", "the user is erased: ForgetIT"),
                  new LeftOut(
                      "docs/operate/erase.md",
                      "lastfix history .*",
                      "the user is erased: ForgetIT")))
          .toList();

  private PageExamples() {}

  private static Stream<LeftOut> commands(String reason, String... names) {
    return Stream.of(names).map(name -> new LeftOut("lastfix " + name + "(?: .*)?", reason));
  }

  /** Returns those of the pages on queries, of the tutorial and of the README. */
  static List<PageCommand> ofReaders() throws IOException {
    return without(OF_READERS, PageCommand.in("README.md", "docs/tutorial", "docs/ask"));
  }

  /** Returns the queries in the operator's pages. */
  static List<PageCommand> ofOperators() throws IOException {
    List<PageCommand> queries =
        without(OF_OPERATORS, PageCommand.in("docs/operate", "docs/troubleshooting.md"));
    assertThat(queries)
        .as("others need a reason to be left out")
        .allMatch(example -> QUERIES.contains(example.arguments().get(0)));
    return queries;
  }

  /** Returns each of the others once. */
  private static List<PageCommand> without(List<LeftOut> rules, List<PageCommand> examples) {
    rules.forEach(
        rule ->
            assertThat(examples)
                .as("'%s' leaves out some: %s", rule.line(), rule.reason())
                .anyMatch(rule::matches));
    Map<String, PageCommand> others = new LinkedHashMap<>();
    for (PageCommand example : examples) {
      if (rules.stream().noneMatch(rule -> rule.matches(example))) {
        others.putIfAbsent(example.line(), example);
      }
    }
    return List.copyOf(others.values());
  }

  /** Returns the page. */
  static String tutorial() throws IOException {
    return Files.readString(Installation.root().resolve(TUTORIAL));
  }

  /**
   * Returns the tutorial's own format as lines of a shell, without the end of the whole stack.
   *
   * @param folder for its files, instead of {@code /tmp}
   */
  static String ownFormat(Path folder) throws IOException {
    String page = tutorial();
    return page.substring(page.indexOf("\n## 3. "), page.indexOf("\n## Next"))
        .lines()
        .filter(line -> line.startsWith(INDENT))
        .map(line -> line.substring(INDENT.length()))
        .filter(line -> !line.equals("./lastfix down"))
        .collect(joining("\n"))
        .replace("/tmp/", folder + "/");
  }
}
