package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the metrics in {@code docs/reference/gateway-api.md} to the code. */
class GatewayPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "gateway-api.md");
  private static final Path SOURCES = Path.of("src", "main", "java");

  private static final Pattern GAUGE = Pattern.compile("\\.gauge\\(\\s*\"([a-z.]+)\"");
  private static final Pattern COUNTER = Pattern.compile("\\bcounter\\(\\s*\"([a-z.]+)\"");
  private static final Pattern TIMER = Pattern.compile("\\btimer\\(\\s*\"([a-z.]+)\"");

  /** The first column of a row. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*`) \\|");

  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  @Test
  void theMetricsAreThoseOfTheCode() throws IOException {
    Set<String> inCode = new TreeSet<>();
    List<Path> sources;
    try (Stream<Path> files = Files.walk(SOURCES)) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path source : sources) {
      String code = Files.readString(source);
      inCode.addAll(names(GAUGE, code, ""));
      inCode.addAll(names(COUNTER, code, "_total"));
      inCode.addAll(names(TIMER, code, "_seconds"));
    }
    String page = Files.readString(PAGE);
    Set<String> onPage = new TreeSet<>();
    ROW.matcher(page.substring(page.indexOf("## Metrics\n")))
        .results()
        .forEach(row -> onPage.addAll(names(NAME, row.group(1), "")));

    assertThat(inCode).hasSizeGreaterThan(30);
    assertThat(onPage).isEqualTo(inCode);
  }

  /** What a pattern finds, as Prometheus shows it. */
  private static List<String> names(Pattern pattern, String text, String suffix) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(1).replace('.', '_') + suffix)
        .toList();
  }
}
