package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rules for Prometheus, the dashboard, the reporter's filter and their pages fit together. */
class MetricsRulesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RULES = ROOT.resolve("config/metrics/lastfix-rules.yml");
  private static final Path DASHBOARD = ROOT.resolve("config/metrics/lastfix-dashboard.json");
  private static final Path PAGE = ROOT.resolve("docs/reference/prometheus.md");
  private static final Path ALERTS = ROOT.resolve("docs/operate/alerts.md");
  private static final Pattern NAME = Pattern.compile("\\blastfix_\\w+");
  private static final Pattern ALERT =
      Pattern.compile("alert: (\\w+)\\s+expr: .*\\s+for: (\\w+)\\s+labels: \\{severity: (\\w+)\\}");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| <a id=\"(\\w+)\"></a>\\*(\\w+)\\* \\| (\\w+) \\| (\\w+) \\|");

  @Test
  void thePageListsAllSeriesOfTheRules() throws IOException {
    Set<String> recorded = found(Files.readString(RULES), Pattern.compile("record: (\\w+)"));

    assertThat(recorded).hasSizeGreaterThan(30);
    assertThat(found(Files.readString(PAGE), Pattern.compile("(?m)^\\| `(\\w+)` \\|")))
        .isEqualTo(recorded);
  }

  /** Each row of the page with an alert, by the last part of its name. */
  @Test
  void theReportersFilterPassesWhatThePageHasAnAlertFor() throws IOException {
    String filter =
        Files.readAllLines(ROOT.resolve("config/metrics/flink-reporter.yaml")).stream()
            .filter(line -> line.startsWith("metrics.reporter.prom.filter.includes: "))
            .findFirst()
            .orElseThrow();
    assertThat(Files.readString(ROOT.resolve("config/metrics/flink-reporter.yaml")))
        .contains("org.apache.flink.metrics.prometheus.PrometheusReporterFactory")
        .contains("scope.variables.excludes: ");
    List<String> alerted =
        Pattern.compile("(?m)^\\| `([\\w.]+)` \\|.*\\*\\*Alert")
            .matcher(Files.readString(ROOT.resolve("docs/reference/metrics.md")))
            .results()
            .map(row -> row.group(1))
            .toList();

    assertThat(alerted).hasSizeGreaterThan(10);
    assertThat(alerted)
        .allSatisfy(
            metric -> {
              int dot = metric.indexOf('.');
              assertThat(filter)
                  .as(metric)
                  .containsPattern(
                      dot < 0
                          ? "[:,]" + metric + "[,;]"
                          : "operator\\.\\*?%s[*]?:\\*".formatted(metric.substring(0, dot)));
            });
  }

  @Test
  void everyAlertHasItsRowWithItsSeverityAndItsWait() throws IOException {
    String rules = Files.readString(RULES);
    Set<String> alerts = found(rules, Pattern.compile("alert: (\\w+)"));
    String page = Files.readString(ALERTS);

    assertThat(ROW.matcher(page).results())
        .hasSameSizeAs(alerts)
        .allMatch(row -> row.group(1).equals(row.group(2).toLowerCase(Locale.ROOT)));
    assertThat(
            ROW.matcher(page).results().map(row -> tuple(row.group(2), row.group(3), row.group(4))))
        .as("alerts, severities and waits of the page")
        .containsExactlyElementsOf(
            ALERT
                .matcher(rules)
                .results()
                .map(alert -> tuple(alert.group(1), alert.group(3), alert.group(2)))
                .toList());
    assertThat(alerts)
        .hasSizeGreaterThanOrEqualTo(15)
        .allSatisfy(
            alert ->
                assertThat(rules)
                    .contains(
                        "runbook_url: docs/operate/alerts.md#" + alert.toLowerCase(Locale.ROOT)));
  }

  @Test
  void theWindowAndTheWaitOfAMissingCheckpointAddUp() throws IOException {
    MatchResult rule =
        Pattern.compile("alert: LastfixNoCheckpoint\\s+expr: .*\\[(\\d+)m].*\\s+for: (\\d+)m")
            .matcher(Files.readString(RULES))
            .results()
            .findFirst()
            .orElseThrow();
    int window = Integer.parseInt(rule.group(1));

    assertThat(Files.readString(ALERTS))
        .contains(
            "no checkpoint of a job has completed for %d minutes: it fires after %d."
                .formatted(window, window + Integer.parseInt(rule.group(2))));
  }

  @Test
  void theDashboardUsesSeriesOfTheRulesAndOfTheGateway() throws IOException {
    Set<String> recorded = found(Files.readString(RULES), Pattern.compile("record: (\\w+)"));
    List<String> expressions =
        new ObjectMapper()
            .readTree(Files.readString(DASHBOARD)).findValues("expr").stream()
                .map(JsonNode::asText)
                .toList();

    assertThat(expressions).hasSizeGreaterThan(30);
    assertThat(expressions)
        .allSatisfy(
            expression ->
                assertThat(NAME.matcher(expression).results().map(MatchResult::group))
                    .isNotEmpty()
                    .allMatch(
                        name -> recorded.contains(name) || name.startsWith("lastfix_gateway_")));
  }

  private static Set<String> found(String text, Pattern pattern) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
