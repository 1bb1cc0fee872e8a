package io.lastfix.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.lastfix.cli.common.LocationReading;
import io.lastfix.cli.output.Table;
import io.lastfix.stack.flink.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the lines of a frame of what {@link TopReadings} read. Numbers stand before names, so that
 * a narrow window cuts the names. A number that is not known is {@value #UNKNOWN}.
 */
final class TopFrame {
  private static final String UNKNOWN = "-";

  /** The parts that are not a server of the local stack. */
  private static final Set<String> OWN_PARTS =
      Set.of("ledger", "flink", "lag", "unread", "cells", "devices", TopReadings.PROCESSES);

  private final JsonNode frame;
  private final Instant now;
  private final List<TopLine> lines = new ArrayList<>();

  private TopFrame(JsonNode frame) {
    this.frame = frame;
    this.now = Instant.parse(frame.path("at").asText());
  }

  /** Returns the lines of a frame, as long as they are. */
  static List<TopLine> lines(JsonNode frame) {
    TopFrame made = new TopFrame(frame);
    made.servers();
    made.alerts();
    made.locationJob();
    made.jobs();
    made.lag();
    made.cells();
    return made.lines.stream()
        .map(line -> new TopLine(line.mood(), Table.printable(line.text())))
        .toList();
  }

  /** Returns what fits a window; the last line says how many are missing. */
  static List<TopLine> fit(List<TopLine> lines, int columns, int rows) {
    List<TopLine> shown = lines;
    if (lines.size() > rows) {
      shown = new ArrayList<>(lines.subList(0, Math.max(0, rows - 1)));
      shown.add(TopLine.plain("... %d more lines".formatted(lines.size() - shown.size())));
    }
    return shown.stream().map(line -> line.cutTo(columns)).toList();
  }

  private void servers() {
    List<String> up = new ArrayList<>();
    List<TopLine> down = new ArrayList<>();
    // The quicker query, and the one of each frame, tells whether the server answers.
    server("mongodb", frame.path("devices"), up, down);
    if (!frame.path("devices").path("problem").equals(frame.path("cells").path("problem"))) {
      server("mongodb (history, counts)", frame.path("cells"), up, down);
    }
    server("kafka", frame.path("lag"), up, down);
    server("flink", frame.path("flink"), up, down);
    frame
        .properties()
        .forEach(
            part -> {
              if (part.getValue().has("state") && !OWN_PARTS.contains(part.getKey())) {
                server(part.getKey(), part.getValue(), up, down);
              }
            });
    lines.add(TopLine.plain("up       " + (up.isEmpty() ? UNKNOWN : String.join(", ", up))));
    lines.addAll(down);
    for (JsonNode process : frame.path(TopReadings.PROCESSES).path("ended")) {
      lines.add(TopLine.bad("ENDED    %s: lastfix up starts it again".formatted(process.asText())));
    }
  }

  private static void server(String name, JsonNode part, List<String> up, List<TopLine> down) {
    if (isOk(part)) {
      up.add(name);
    } else {
      down.add(TopLine.bad("DOWN     %s: %s".formatted(name, problem(part))));
    }
  }

  private void alerts() {
    JsonNode locationJob = frame.path("ledger");
    if (isStale(locationJob)) {
      lines.add(
          TopLine.bad(
              "STALE    %s: no TaskManager has reported for %s; lastfix status names the processes"
                  .formatted(
                      frame.path("job").asText(),
                      span(Duration.ofSeconds(locationJob.path("ageSeconds").asLong())))));
    }
    JsonNode ledger = locationJob.path("ledger");
    if (ledger.isObject()) {
      ledger(ledger)
          .problem()
          .ifPresent(problem -> lines.add(TopLine.bad("UNACCOUNTED  " + problem)));
    }
    String prefix = frame.path("topicPrefix").asText();
    if (!isOk(frame.path("unread"))) {
      lines.add(TopLine.bad("UNREAD   - " + problem(frame.path("unread"))));
    }
    for (Map.Entry<String, JsonNode> topic : frame.path("unread").path("topics").properties()) {
      lines.add(
          TopLine.bad(
              "UNREAD   "
                  + LocationReading.remedy(topic.getKey(), topic.getValue().asLong(), prefix)));
    }
    for (JsonNode job : newestOfEachName()) {
      JsonNode checkpoints = job.path("checkpoints");
      JsonNode failure = checkpoints.path("newestFailure");
      if (failure.isObject()
          && failure.path("id").asLong() > checkpoints.path("newest").path("id").asLong()) {
        lines.add(
            TopLine.bad(
                "FAILED   checkpoint %s of %s: %s"
                    .formatted(
                        count(failure.path("id")),
                        job.path("name").asText(),
                        failure.path("cause").asText())));
      }
    }
  }

  private void locationJob() {
    JsonNode job = frame.path("ledger");
    // Of a while ago, so they are not known.
    JsonNode current = isStale(job) ? MissingNode.getInstance() : job;
    lines.add(TopLine.plain(""));
    lines.add(TopLine.heading(frame.path("job").asText()));
    if (!isOk(job)) {
      lines.add(row("", problem(job)));
    }
    lines.add(
        row(
            "rate",
            "%s messages/s, %s records/s"
                .formatted(
                    rate(current.path("messagesPerSecond")),
                    rate(current.path("recordsPerSecond")))));
    lines.add(
        row(
            "freshness",
            "%s median, %s p95, %s p99 from Kafka to MongoDB"
                .formatted(
                    millis(current.path("latencyMillisMedian")),
                    millis(current.path("latencyMillisP95")),
                    millis(current.path("latencyMillisP99")))));
    lines.add(
        row(
            "lag",
            count(total(frame.path("lag").path("groups").path(frame.path("group").asText())))
                + " messages"));
    lines.add(row("waiting", count(current.path("waiting")) + " records for their cell"));
    lines.add(row("rejected", rejected(job)));
    ledgerRows(job.path("ledger"));
    lines.add(
        row("stored", count(frame.path("devices").path("located")) + " last known locations"));
  }

  private static String rejected(JsonNode job) {
    String reasons =
        job.path("rejectedByReason").properties().stream()
            .sorted(Comparator.comparingLong(it -> -it.getValue().asLong()))
            .map(it -> it.getKey() + " " + count(it.getValue()))
            .collect(Collectors.joining(", "));
    return count(job.path("rejected"))
        + " since its last start"
        + (reasons.isEmpty() ? "" : ": " + reasons);
  }

  private void ledgerRows(JsonNode ledger) {
    String unaccounted =
        "%s unaccounted, at checkpoint %s%s"
            .formatted(
                count(ledger.path("unaccounted")),
                count(ledger.path("checkpoint")),
                ledger.has("triggered") ? ", " + ago(ledger.path("triggered")) : "");
    lines.add(
        ledger.path("unaccounted").asLong() == 0
            ? row("ledger", unaccounted)
            : TopLine.bad(row("ledger", unaccounted).text()));
    lines.add(
        row(
            "",
            "in %s = stored %s + duplicates %s + erased %s + rejected %s + not records %s + waiting %s"
                .formatted(
                    count(ledger.path("in")),
                    count(ledger.path("stored")),
                    count(ledger.path("duplicates")),
                    count(ledger.path("erased")),
                    count(ledger.path("rejected")),
                    count(ledger.path("notRecords")),
                    count(ledger.path("waiting")))));
  }

  private void jobs() {
    JsonNode flink = frame.path("flink");
    lines.add(TopLine.plain(""));
    lines.add(
        TopLine.heading(
            String.format(
                Locale.ROOT,
                "%10s %8s %11s %6s %10s %8s %9s  %s",
                "STATE",
                "RESTARTS",
                "CHECKPOINTS",
                "FAILED",
                "NEWEST",
                "TOOK",
                "SIZE",
                "JOB")));
    for (JsonNode job : newestOfEachName()) {
      JsonNode checkpoints = job.path("checkpoints");
      JsonNode newest = checkpoints.path("newest");
      String state = job.path("state").asText();
      String text =
          String.format(
              Locale.ROOT,
              "%10s %8s %11s %6s %10s %8s %9s  %s",
              state,
              count(job.path("restarts")),
              count(checkpoints.path("completed")),
              count(checkpoints.path("failed")),
              ago(newest.path("triggered")),
              millis(newest.path("tookMillis")),
              bytes(newest.path("bytes")),
              job.path("name").asText());
      boolean isWell = state.equals("RUNNING") || state.equals("FINISHED");
      lines.add(isWell ? TopLine.plain(text) : TopLine.bad(text));
    }
    if (!isOk(flink) || flink.path("jobs").isEmpty()) {
      lines.add(numberAndName(null, isOk(flink) ? "no jobs" : ""));
    }
  }

  /** The latest job of each name, the latest first. */
  private Collection<JsonNode> newestOfEachName() {
    Set<String> names = new TreeSet<>();
    List<JsonNode> newest = new ArrayList<>();
    for (JsonNode job : frame.path("flink").path("jobs")) {
      if (names.add(job.path("name").asText())) {
        newest.add(job);
      }
    }
    return newest;
  }

  private void lag() {
    lines.add(TopLine.plain(""));
    lines.add(TopLine.heading("%10s  %s".formatted("LAG", "GROUP")));
    JsonNode groups = frame.path("lag").path("groups");
    for (Map.Entry<String, JsonNode> group : groups.properties()) {
      lines.add(numberAndName(total(group.getValue()), group.getKey()));
    }
    if (groups.isEmpty()) {
      lines.add(numberAndName(null, isOk(frame.path("lag")) ? "no group" : ""));
    }
  }

  private void cells() {
    JsonNode cells = frame.path("cells");
    lines.add(TopLine.plain(""));
    lines.add(
        TopLine.heading(
            "%10s  %s"
                .formatted(
                    "RECORDS",
                    cells.has("to")
                        ? "BUSIEST CELLS, %s to %s"
                            .formatted(text(cells, "from"), text(cells, "to"))
                        : "BUSIEST CELLS")));
    for (JsonNode cell : cells.path("busiest")) {
      lines.add(numberAndName(cell.path("records").asLong(), cell.path("cell").asText()));
    }
    if (cells.path("busiest").isEmpty()) {
      lines.add(
          numberAndName(null, isOk(cells) ? "no counts by cell: lastfix submit analytics" : ""));
    }
  }

  private static TopLine numberAndName(@Nullable Long number, String name) {
    return TopLine.plain("%10s  %s".formatted(count(number), name).stripTrailing());
  }

  private static TopLine row(String name, String value) {
    return TopLine.plain(String.format(Locale.ROOT, "  %-9s %s", name, value));
  }

  private static boolean isOk(JsonNode part) {
    return part.path("state").asText().equals("ok");
  }

  private static boolean isStale(JsonNode job) {
    return job.path("stale").asBoolean();
  }

  private static String problem(JsonNode part) {
    return part.path("problem").asText(UNKNOWN);
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText(UNKNOWN);
  }

  private static @Nullable Long total(JsonNode topics) {
    if (!topics.isObject()) {
      return null;
    }
    long total = 0;
    for (JsonNode lag : topics) {
      total += lag.asLong();
    }
    return total;
  }

  private static Ledger ledger(JsonNode it) {
    return new Ledger(
        it.path("checkpoint").asLong(),
        it.path("in").asLong(),
        it.path("stored").asLong(),
        it.path("duplicates").asLong(),
        it.path("erased").asLong(),
        it.path("rejected").asLong(),
        it.path("notRecords").asLong(),
        it.path("waiting").asLong(),
        it.path("unaccounted").asLong());
  }

  private static String count(JsonNode number) {
    return count(number.isNumber() ? (Long) number.asLong() : null);
  }

  private static String count(@Nullable Long number) {
    return number == null ? UNKNOWN : String.format(Locale.ROOT, "%,d", number);
  }

  /** A slow stream's rate has a decimal. */
  private static String rate(JsonNode number) {
    if (!number.isNumber()) {
      return UNKNOWN;
    }
    double rate = number.asDouble();
    return String.format(Locale.ROOT, rate < 100 ? "%.1f" : "%,.0f", rate);
  }

  private static String millis(JsonNode number) {
    return number.isNumber() ? span(Duration.ofMillis(number.asLong())) : UNKNOWN;
  }

  private String ago(JsonNode instant) {
    if (!instant.isTextual()) {
      return UNKNOWN;
    }
    Duration passed = Duration.between(Instant.parse(instant.asText()), now);
    // The clocks of two machines differ.
    return span(Duration.ofSeconds(Math.max(0, passed.toSeconds()))) + " ago";
  }

  private static String span(Duration span) {
    long millis = span.toMillis();
    if (millis < 1_000 && millis != 0) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return millis % 1_000 == 0
          ? span.toSeconds() + " s"
          : String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }
    if (span.toMinutes() < 120) {
      return span.toMinutes() + " min";
    }
    return span.toHours() < 72 ? span.toHours() + " h" : span.toDays() + " d";
  }

  private static String bytes(JsonNode number) {
    if (!number.isNumber()) {
      return UNKNOWN;
    }
    double bytes = number.asDouble();
    if (bytes < 1_024) {
      return "%d B".formatted(number.asLong());
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    int unit = -1;
    while (bytes >= 1_024 && unit < units.length - 1) {
      bytes /= 1_024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", bytes, units[unit]);
  }
}
