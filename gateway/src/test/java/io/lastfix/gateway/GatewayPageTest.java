package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.model.SenderHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code docs/reference/gateway-api.md}, and what other pages repeat of it, to the code. With
 * {@code -Dlastfix.reference=write} it writes the page's table of the routes of records.
 */
class GatewayPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/reference/gateway-api.md");
  private static final Path SOURCES = ROOT.resolve("gateway/src/main/java");

  private static final Pattern GAUGE = Pattern.compile("\\.gauge\\(\\s*\"([a-z.]+)\"");
  private static final Pattern COUNTER = Pattern.compile("\\bcounter\\(\\s*\"([a-z.]+)\"");
  private static final Pattern TIMER = Pattern.compile("\\btimer\\(\\s*\"([a-z.]+)\"");

  private static final Pattern PREFIXED = Pattern.compile("lastfix_gateway_([a-z_]+)");
  private static final Pattern RECORDED = Pattern.compile("record: lastfix_gateway_([a-z_]+)");

  /** The first column of a row. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*`) \\|");

  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  /** Between the marks, the rows of the table. */
  private static final Pattern ROUTES =
      Pattern.compile("(?s)(<!-- routes: [^\n]*-->\n\n(?:\\|[^\n]*\n){2}).*?(\n<!-- end -->)");

  /** The comment of a class. */
  private static final Pattern OF_CLASS =
      Pattern.compile("(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s+public final class ");

  /** The first sentence of a route's class: its methods and its path, and a text. */
  private static final Pattern FIRST_SENTENCE = Pattern.compile("(\\{@code .+?}): (.+?)\\. .*");

  private static final Pattern CODE = Pattern.compile("\\{@code ([^{}]+)}");

  private static final Pattern REASON = Pattern.compile("`([a-z-]+)`");

  @Test
  void theRoutesOfRecordsAreThoseOfTheCode() throws IOException {
    String page = Files.readString(PAGE);
    StringBuilder rows = new StringBuilder();
    for (RecordRoute route : GatewayKeys.RECORDS) {
      rows.append(row(route)).append('\n');
    }
    Matcher table = ROUTES.matcher(page);
    assertThat(table.find()).as("the page's place for the routes").isTrue();
    String expected = page.substring(0, table.end(1)) + rows + page.substring(table.start(2));
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE))
        .as("after a change of a route, write the page with -Dlastfix.reference=write")
        .isEqualTo(expected);
  }

  /** Describes a route by its class, with its answer to a record. */
  static String row(RecordRoute route) throws IOException {
    String methods =
        route.methods().stream().map(HttpMethod::name).sorted().collect(Collectors.joining("`, `"));
    String path =
        Pattern.compile("\\{(\\w+)}")
            .matcher(route.path())
            .replaceAll(parameter -> parameter.group(1).toUpperCase(Locale.ROOT));
    Path source = SOURCES.resolve(route.getClass().getName().replace('.', '/') + ".java");
    Matcher comment = OF_CLASS.matcher(Files.readString(source));
    assertThat(comment.find()).as("%s has a comment of its class", source).isTrue();
    Matcher sentence =
        FIRST_SENTENCE.matcher(comment.group(1).replaceAll("\\s*\n \\*", "").strip() + " ");
    assertThat(sentence.matches()).as("%s begins with {@code PATH}: TEXT.", source).isTrue();
    String place = "`%s %s`".formatted(methods, path);
    assertThat(backticks(sentence.group(1))).as(source.toString()).isEqualTo(place);
    assertThat(backticks(sentence.group(2)))
        .as("%s: a cell of a table has neither tags nor bars", source)
        .doesNotContain("{@", "<", "|");
    AggregatedHttpResponse answer =
        route.stored(new Stored("lastfix.location.json", 0, 7)).aggregate().join();
    String content = answer.contentUtf8();
    return "| %s | `%s` | %s | %s, %s%s |"
        .formatted(
            place,
            route.access().name(),
            backticks(sentence.group(2)),
            answer.status().code(),
            content.isEmpty() ? "empty" : "`" + content + "`",
            route.repeatsOnlyWithoutAnswer() ? "; no answer if a retry may succeed" : "");
  }

  private static String backticks(String comment) {
    return CODE.matcher(comment).replaceAll("`$1`");
  }

  @Test
  void theMetricsAreThoseOfTheCode() throws IOException {
    Set<String> inCode = metricsOfTheCode();
    String page = Files.readString(PAGE);
    Set<String> onPage = new TreeSet<>();
    ROW.matcher(page.substring(page.indexOf("## Metrics\n")))
        .results()
        .forEach(row -> onPage.addAll(names(NAME, row.group(1), "")));

    assertThat(inCode).hasSizeGreaterThan(30);
    assertThat(onPage).isEqualTo(inCode);
  }

  /** What a signature covers, the page leaves to the page of signatures. */
  @Test
  void theHeadersAreThoseThatTheJobsRead() throws IOException {
    String table =
        Files.readString(PAGE).split("\\| header \\| value \\|\n", -1)[1].split("\n\n", -1)[0];
    List<String> signed =
        List.of(
            "method",
            "path",
            "query",
            "signature-input",
            "signature",
            "content-digest",
            "content-type");

    assertThat(ROW.matcher(table).results().map(row -> row.group(1).replace("`", "")))
        .containsExactlyInAnyOrderElementsOf(
            SenderHeaders.ALL.stream().filter(name -> !signed.contains(name)).toList());
  }

  /** Those of a signature, whose reasons are many, have a page of their own. */
  @Test
  void eachRefusalHasARow() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/devices/http.md"));
    List<MatchResult> refusals =
        Pattern.compile("HttpStatus\\.(\\w+),\\s*\"([a-z0-9-]+)\"")
            .matcher(Files.readString(SOURCES.resolve("io/lastfix/gateway/http/Problems.java")))
            .results()
            .toList();

    assertThat(refusals).hasSizeGreaterThan(20);
    for (MatchResult refusal : refusals) {
      HttpStatus status = (HttpStatus) HttpStatus.class.getField(refusal.group(1)).get(null);
      assertThat(page)
          .containsPattern(
              "\n\\| [0-9, ]*%s[0-9, ]* \\| [^|]*`%s`".formatted(status.code(), refusal.group(2)));
    }
  }

  @Test
  void eachReasonOfARefusedSignatureHasARow() throws IOException {
    String table =
        Files.readString(ROOT.resolve("docs/devices/signing.md"))
            .split("## A signature is refused\n", 2)[1];
    Set<String> onPage = new TreeSet<>();
    ROW.matcher(table).results().forEach(row -> onPage.addAll(names(REASON, row.group(1), "")));

    assertThat(onPage)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(RefusalReason.values()).map(RefusalReason::code).toList());
  }

  /** Series that the rules compute have the same prefix. */
  @Test
  void otherPagesTheRulesAndTheDashboardNameMetricsThatExist() throws IOException {
    Set<String> known = metricsOfTheCode();
    Set<String> named = new TreeSet<>();
    for (Path file : filesIn(ROOT.resolve("docs"), ".md")) {
      named.addAll(names(PREFIXED, Files.readString(file), ""));
    }
    for (Path file : filesIn(ROOT.resolve("config/metrics"), "")) {
      String text = Files.readString(file);
      named.addAll(names(PREFIXED, text, ""));
      known.addAll(names(RECORDED, text, ""));
    }

    assertThat(named).hasSizeGreaterThan(10);
    assertThat(named)
        .allSatisfy(
            name ->
                assertThat(known)
                    .contains(name.replaceFirst("_seconds_(bucket|count|sum)$", "_seconds")));
  }

  private static Set<String> metricsOfTheCode() throws IOException {
    Set<String> inCode = new TreeSet<>();
    for (Path source : filesIn(SOURCES, ".java")) {
      String code = Files.readString(source);
      inCode.addAll(names(GAUGE, code, ""));
      inCode.addAll(names(COUNTER, code, "_total"));
      inCode.addAll(names(TIMER, code, "_seconds"));
    }
    return inCode;
  }

  private static List<Path> filesIn(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(suffix))
          .toList();
    }
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
