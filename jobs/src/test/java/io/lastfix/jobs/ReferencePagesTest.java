package io.lastfix.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.JobTopic;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.messages.PresenceRecordSerializer;
import io.lastfix.jobs.kafka.messages.WindowCountRecordSerializer;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.RejectionReason;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** Holds the pages of {@code docs/reference} that are written by hand to the code. */
class ReferencePagesTest {
  private static final Path PAGES = Path.of("..", "docs", "reference");

  /** The modules in the job's jar that register metrics. */
  private static final List<String> MODULES = List.of("operators", "catalogs", "analytics", "jobs");

  private static final Pattern CONSTANT =
      Pattern.compile("static final String (\\w+) =\\s*\"([^\"]*)\"");
  private static final Pattern GROUP =
      Pattern.compile("MetricGroup (\\w+) =\\s*([\\w.()]+)\\s*\\.addGroup\\(([^()]+)\\)");
  private static final Pattern REGISTRATION =
      Pattern.compile(
          "([\\w.()]+?)\\s*\\.(counter|gauge|histogram|meter)\\(\\s*(\"[^\"]*\"|[\\w.]+(?:\\(\\))?)\\s*[,)]");
  private static final Pattern ANY_REGISTRATION =
      Pattern.compile("\\.(?:counter|gauge|histogram|meter)\\(");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([^`]+)` \\| (counter|gauge|histogram|meter) \\|");

  /** A metric of a reason, and the label that its rule gives it. */
  private static final Pattern RULE_OF_REASON =
      Pattern.compile("operator_rejected_(\\w+)\\{.*\\s+labels: \\{reason: ([\\w-]+)}");

  private static final String JOB_METRICS = jobMetrics();

  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(null, List.of("located.topic=lastfix.located"), name -> null);

  private static String jobMetrics() {
    try {
      return Files.readString(
          Path.of("..", "model", "src", "main", "java", "io", "lastfix", "model", "metrics")
              .resolve("JobMetrics.java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theMetricsAreThoseOfTheCode() throws IOException {
    Set<String> inCode = new TreeSet<>();
    for (String module : MODULES) {
      try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
          inCode.addAll(metricsOf(Files.readString(source), source));
        }
      }
    }

    assertThat(inCode).hasSizeGreaterThan(30);
    assertThat(rows(Files.readString(PAGES.resolve("metrics.md")))).isEqualTo(inCode);
  }

  @Test
  void theRejectionReasonsAreThoseOfTheCode() throws IOException {
    assertThat(table("| reason | the message or record |"))
        .extracting(cells -> cells.get(0))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(RejectionReason.values())
                .map(reason -> "`%s`".formatted(reason.code()))
                .toList());
  }

  @Test
  void theTopicsAreThoseOfTheJobs() throws IOException {
    assertThat(table("| topic | key | value | headers |"))
        .extracting(cells -> cells.get(0))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(JobTopic.values())
                .map(
                    topic ->
                        "`%s%s`"
                            .formatted(topic.nameIn(CONFIG), topic.isPrefix() ? "<profile>" : ""))
                .toList());
  }

  @Test
  void theTopicsSettingsAreThoseThatTheJobsGiveThem() throws IOException {
    Set<String> onPage = new TreeSet<>();
    for (List<String> cells : table("| topic | setting | why |")) {
      String setting = names(cells.get(1)).get(0);
      names(cells.get(0)).forEach(topic -> onPage.add(topic + " " + setting));
    }
    Set<String> inCode = new TreeSet<>();
    KafkaTopics.settings(CONFIG)
        .forEach(
            (topic, settings) ->
                settings.forEach((key, value) -> inCode.add(topic + " " + key + "=" + value)));

    assertThat(onPage).isEqualTo(inCode);
  }

  @Test
  void theExamplesOfMessagesAreAsTheJobsWriteThem() throws IOException {
    String page = Files.readString(PAGES.resolve("topics.md"));
    ProducerRecord<byte[], byte[]> count =
        new WindowCountRecordSerializer("t")
            .serialize(
                new WindowCount(
                    Instant.parse("2026-11-26T15:09:10Z").toEpochMilli(),
                    CountBy.CELL,
                    "310-260-7-1",
                    42,
                    WindowCount.State.OPEN,
                    3),
                null,
                null);
    ProducerRecord<byte[], byte[]> presence =
        new PresenceRecordSerializer("t")
            .serialize(
                new Presence(
                    "d", Presence.State.OFFLINE, 0, 0, new DeviceDescription("phone", "a/1", "0f")),
                null,
                null);

    assertThat(page)
        .contains(
            "such as `%s`".formatted(new String(count.key(), UTF_8)),
            "\n    %s\n".formatted(new String(count.value(), UTF_8)));
    String example = page.split("\n## Presence\n", -1)[1].split("}", -1)[0];
    assertThat(members(example)).isEqualTo(members(new String(presence.value(), UTF_8)));
    byte[] alert =
        AlertCodec.value(
            new Alert(
                "u",
                0,
                "r",
                1,
                Alert.Kind.LEFT,
                0,
                "f",
                Alert.Cause.RECORD,
                new Position(0, 0),
                CellId.parse("310-260-7-1"),
                PositionSource.GNSS,
                12.0,
                1,
                0,
                List.of(new Action(Action.Kind.WEBHOOK, "w"))));
    String ofAlert = page.split("\n## Alerts\n", -1)[1].split("\n\\| member", -1)[0];
    assertThat(members(ofAlert)).isEqualTo(members(new String(alert, UTF_8)));
  }

  private static List<String> members(String json) {
    return Pattern.compile("\"(\\w+)\":")
        .matcher(json)
        .results()
        .map(member -> member.group(1))
        .toList();
  }

  /** The rows of a table of {@code topics.md}, by the line of its heads, as their cells. */
  private static List<List<String>> table(String heads) throws IOException {
    String page = Files.readString(PAGES.resolve("topics.md"));
    assertThat(page).containsOnlyOnce("\n" + heads + "\n");
    return page.split(Pattern.quote("\n" + heads + "\n"), -1)[1]
        .split("\n\n", -1)[0]
        .lines()
        .skip(1)
        .map(row -> Arrays.stream(row.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  /** What a text has in backticks. */
  private static List<String> names(String text) {
    return Pattern.compile("`([^`]+)`").matcher(text).results().map(it -> it.group(1)).toList();
  }

  @Test
  void prometheusRecordsTheRejectedRecordsOfEachReason() throws IOException {
    String rules = Files.readString(Path.of("..", "config", "metrics", "lastfix-rules.yml"));

    assertThat(
            RULE_OF_REASON
                .matcher(rules)
                .results()
                .map(rule -> rule.group(1).replace('_', '-') + " " + rule.group(2)))
        .containsExactlyElementsOf(
            Arrays.stream(RejectionReason.values())
                .map(reason -> reason.code() + " " + reason.code())
                .toList());
  }

  /** Each metric that a page has a row for, as its name and its type. */
  static Set<String> rows(String page) {
    return ROW.matcher(page)
        .results()
        .map(row -> row.group(1) + " " + row.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Each metric that a source registers, as its groups, its name and its type. */
  static Set<String> metricsOf(String source, Path path) {
    Map<String, String> constants =
        CONSTANT
            .matcher(source)
            .results()
            .collect(Collectors.toMap(c -> c.group(1), c -> c.group(2), (a, b) -> a, HashMap::new));
    CONSTANT
        .matcher(JOB_METRICS)
        .results()
        .forEach(c -> constants.put("JobMetrics." + c.group(1), c.group(2)));
    Map<String, String> prefixes = new HashMap<>();
    for (Matcher group = GROUP.matcher(source); group.find(); ) {
      String parent = prefixes.getOrDefault(group.group(2), "");
      prefixes.put(group.group(1), parent + name(group.group(3), constants, path) + ".");
    }
    List<MatchResult> registrations = REGISTRATION.matcher(source).results().toList();
    assertThat(ANY_REGISTRATION.matcher(source).results())
        .as("metrics of %s whose registration this test can read", path)
        .hasSameSizeAs(registrations);
    return registrations.stream()
        .map(
            metric ->
                prefixes.getOrDefault(metric.group(1), "")
                    + name(metric.group(3), constants, path)
                    + " "
                    + metric.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(String argument, Map<String, String> constants, Path path) {
    if (argument.startsWith("\"")) {
      return argument.substring(1, argument.length() - 1);
    }
    if (argument.equals("reason.code()")) {
      return "<reason>";
    }
    assertThat(constants)
        .as(
            "a metric's name in %s is a literal, or a constant of that class or of JobMetrics",
            path)
        .containsKey(argument);
    return constants.getOrDefault(argument, "");
  }
}
