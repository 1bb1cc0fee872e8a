package io.lastfix.cli.top;

import io.lastfix.cluster.flink.FlinkRest.Checkpoints;
import io.lastfix.cluster.flink.FlinkRest.CompletedCheckpoint;
import io.lastfix.cluster.flink.FlinkRest.FailedCheckpoint;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.console.health.GroupLag;
import io.lastfix.console.health.JobList;
import io.lastfix.console.health.LocationAccount;
import io.lastfix.console.health.PartState;
import io.lastfix.kit.text.PrintableText;
import io.lastfix.kit.text.TimeText;
import io.lastfix.operate.status.Frame;
import io.lastfix.operate.status.Frame.BusiestCells;
import io.lastfix.operate.status.LocationReading;
import io.lastfix.operate.status.TopReadings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes the lines of a frame of what {@link TopReadings} read. Numbers stand before names, so that
 * a narrow window cuts the names, those of jobs at their beginning. A number that is not known is
 * {@value #UNKNOWN}.
 */
final class TopFrame {
  private static final String UNKNOWN = "-";

  private static final String JOBS = "%10s %8s %11s %6s %11s %7s %9s  %s";

  private final Frame frame;

  /** Empty: Flink does not report it. */
  private final Optional<LocationAccount> account;

  private final List<TopLine> lines = new ArrayList<>();

  private TopFrame(Frame frame) {
    this.frame = frame;
    this.account = frame.read(Frame.LEDGER, LocationAccount.class);
  }

  /** Returns the lines of a frame, as long as they are. */
  static List<TopLine> lines(Frame frame) {
    TopFrame made = new TopFrame(frame);
    made.lines.add(TopLine.heading("lastfix top  " + frame.at()));
    made.servers();
    made.alerts();
    made.locationJob();
    made.jobs();
    made.lag();
    made.cells();
    return made.lines.stream().map(line -> line.withText(PrintableText.of(line.text()))).toList();
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
    Map<String, PartState> servers = new LinkedHashMap<>();
    // The quicker query, and the one of each frame, tells whether the server answers.
    PartState devices = frame.part(Frame.DEVICES);
    servers.put("mongodb", devices);
    if (!Objects.equals(devices.problem(), frame.part(Frame.CELLS).problem())) {
      servers.put("mongodb (history, counts)", frame.part(Frame.CELLS));
    }
    servers.put("kafka", frame.part(Frame.LAG));
    servers.put("flink", frame.part(Frame.FLINK));
    servers.putAll(frame.localServers());
    List<String> up =
        servers.entrySet().stream()
            .filter(server -> server.getValue().isOk())
            .map(Map.Entry::getKey)
            .toList();
    lines.add(TopLine.plain("up       " + (up.isEmpty() ? UNKNOWN : String.join(", ", up))));
    servers.forEach(
        (name, part) -> {
          if (!part.isOk()) {
            bad("DOWN     %s: %s", name, part.problem());
          }
        });
    frame.read(Frame.PROCESSES, Frame.Processes.class).stream()
        .flatMap(processes -> processes.ended().stream())
        .forEach(process -> bad("ENDED    %s: lastfix up starts it again", process));
  }

  private void alerts() {
    account
        .filter(LocationAccount::stale)
        .ifPresent(
            it ->
                bad(
                    "STALE    %s: no TaskManager has reported for %s; lastfix status names the processes",
                    frame.job(), TimeText.span(Duration.ofSeconds(it.ageSeconds()))));
    account
        .map(LocationAccount::ledger)
        .flatMap(ledger -> ledger.sums().problem())
        .ifPresent(problem -> bad("UNACCOUNTED  %s", problem));
    PartState unread = frame.part(Frame.UNREAD);
    if (!unread.isOk()) {
      bad("UNREAD   - %s", unread.problem());
    }
    frame
        .read(Frame.UNREAD, Frame.Unread.class)
        .map(it -> LocationReading.remedies(it.topics(), frame.topicPrefix()))
        .orElse(List.of())
        .forEach(remedy -> bad("UNREAD   %s", remedy));
    for (JobList.Entry job : newestOfEachName()) {
      Checkpoints checkpoints = job.checkpoints();
      FailedCheckpoint failure = checkpoints == null ? null : checkpoints.newestFailure();
      CompletedCheckpoint newest = checkpoints == null ? null : checkpoints.newest();
      if (failure != null && (newest == null || failure.id() > newest.id())) {
        bad("FAILED   checkpoint %s of %s: %s", count(failure.id()), job.name(), failure.cause());
      }
    }
  }

  private void bad(String format, Object... values) {
    lines.add(TopLine.bad(String.format(Locale.ROOT, format, values)));
  }

  private void locationJob() {
    // Numbers of a while ago are not known.
    Optional<LocationAccount> current = account.filter(it -> !it.stale());
    section(frame.job());
    PartState part = frame.part(Frame.LEDGER);
    if (!part.isOk()) {
      row("", "%s", part.problem());
    }
    row(
        "rate",
        "%s messages/s, %s records/s",
        current.map(it -> rate(it.messagesPerSecond())).orElse(UNKNOWN),
        current.map(it -> rate(it.recordsPerSecond())).orElse(UNKNOWN));
    row(
        "freshness",
        "%s median, %s p95, %s p99 from Kafka to MongoDB",
        span(current.map(LocationAccount::latencyMillisMedian)),
        span(current.map(LocationAccount::latencyMillisP95)),
        span(current.map(LocationAccount::latencyMillisP99)));
    row(
        "lag",
        "%s messages",
        count(groups().map(it -> it.get(frame.group())).map(TopFrame::total)));
    row("waiting", "%s records for their cell", count(current.map(LocationAccount::waiting)));
    row("rejected", "%s", rejected());
    ledgerRows();
    row(
        "stored",
        "%s last known locations",
        count(frame.read(Frame.DEVICES, Frame.Stored.class).map(Frame.Stored::located)));
  }

  private String rejected() {
    String reasons =
        account.map(LocationAccount::rejectedByReason).orElse(Map.of()).entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .map(it -> it.getKey() + " " + count(it.getValue()))
            .collect(Collectors.joining(", "));
    return count(account.map(LocationAccount::rejected))
        + " since its last start"
        + (reasons.isEmpty() ? "" : ": " + reasons);
  }

  private void ledgerRows() {
    Optional<LocationAccount.DatedLedger> dated = account.map(LocationAccount::ledger);
    Optional<Ledger> ledger = dated.map(LocationAccount.DatedLedger::sums);
    row(
        "ledger",
        "%s unaccounted, at checkpoint %s%s",
        count(ledger.map(Ledger::unaccounted)),
        count(ledger.map(Ledger::checkpoint)),
        dated
            .map(LocationAccount.DatedLedger::triggered)
            .map(at -> ", " + TimeText.ago(at, frame.at()))
            .orElse(""));
    if (ledger.map(Ledger::unaccounted).orElse(0L) != 0) {
      lines.add(TopLine.bad(lines.remove(lines.size() - 1).text()));
    }
    row(
        "",
        "in %s = stored %s + duplicates %s + erased %s + rejected %s + not records %s + waiting %s",
        count(ledger.map(Ledger::in)),
        count(ledger.map(Ledger::stored)),
        count(ledger.map(Ledger::duplicates)),
        count(ledger.map(Ledger::erased)),
        count(ledger.map(Ledger::rejected)),
        count(ledger.map(Ledger::notRecords)),
        count(ledger.map(Ledger::waiting)));
  }

  private void jobs() {
    section(
        JOBS.formatted(
            "STATE", "RESTARTS", "CHECKPOINTS", "FAILED", "NEWEST", "TOOK", "SIZE", "JOB"));
    Collection<JobList.Entry> jobs = newestOfEachName();
    for (JobList.Entry job : jobs) {
      Optional<Checkpoints> checkpoints = Optional.ofNullable(job.checkpoints());
      Optional<CompletedCheckpoint> newest = checkpoints.map(Checkpoints::newest);
      String text =
          JOBS.formatted(
              job.state(),
              count(Optional.ofNullable(job.restarts())),
              count(checkpoints.map(Checkpoints::completed)),
              count(checkpoints.map(Checkpoints::failed)),
              newest.map(it -> TimeText.ago(it.triggered(), frame.at())).orElse(UNKNOWN),
              span(newest.map(CompletedCheckpoint::tookMillis)),
              newest.map(CompletedCheckpoint::bytes).map(TopFrame::bytes).orElse(UNKNOWN),
              job.name());
      boolean isWell = job.state().equals("RUNNING") || job.state().equals("FINISHED");
      TopLine line = isWell ? TopLine.plain(text) : TopLine.bad(text);
      // Names of jobs begin alike.
      lines.add(line.withLastWord(text.length() - job.name().length()));
    }
    addIfNone(jobs.isEmpty(), Frame.FLINK, "no jobs");
  }

  /** The latest job of each name, the latest first. */
  private Collection<JobList.Entry> newestOfEachName() {
    Map<String, JobList.Entry> newest = new LinkedHashMap<>();
    frame
        .read(Frame.FLINK, JobList.class)
        .map(JobList::jobs)
        .orElse(List.of())
        .forEach(job -> newest.putIfAbsent(job.name(), job));
    return newest.values();
  }

  private Optional<Map<String, Map<String, Long>>> groups() {
    return frame.read(Frame.LAG, GroupLag.class).map(GroupLag::groups);
  }

  private void lag() {
    section("%10s  %s".formatted("LAG", "GROUP"));
    Map<String, Map<String, Long>> groups = groups().orElse(Map.of());
    groups.forEach((name, topics) -> lines.add(numberAndName(count(total(topics)), name)));
    addIfNone(groups.isEmpty(), Frame.LAG, "no group");
  }

  private void cells() {
    Optional<BusiestCells> cells = frame.read(Frame.CELLS, BusiestCells.class);
    List<BusiestCells.Cell> busiest = cells.map(BusiestCells::busiest).orElse(List.of());
    section(
        "%10s  BUSIEST CELLS%s"
            .formatted(
                "RECORDS",
                cells
                    .filter(it -> it.to() != null)
                    .map(it -> ", %s to %s".formatted(it.from(), it.to()))
                    .orElse("")));
    busiest.forEach(cell -> lines.add(numberAndName(count(cell.records()), cell.cell())));
    addIfNone(busiest.isEmpty(), Frame.CELLS, "no counts by cell: lastfix submit analytics");
  }

  /** A line in place of rows; only a part that was read says that there are none. */
  private void addIfNone(boolean isNone, String part, String text) {
    if (isNone) {
      lines.add(numberAndName(UNKNOWN, frame.part(part).isOk() ? text : ""));
    }
  }

  private static TopLine numberAndName(String number, String name) {
    return TopLine.plain("%10s  %s".formatted(number, name).stripTrailing());
  }

  private void section(String heading) {
    lines.add(TopLine.plain(""));
    lines.add(TopLine.heading(heading));
  }

  private void row(String name, String format, Object... values) {
    String value = String.format(Locale.ROOT, format, values);
    lines.add(TopLine.plain("  %-9s %s".formatted(name, value)));
  }

  private static long total(Map<String, Long> topics) {
    return topics.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String count(Optional<Long> number) {
    return number.map(TopFrame::count).orElse(UNKNOWN);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A slow stream's rate has a decimal. */
  private static String rate(double rate) {
    return String.format(Locale.ROOT, rate < 100 ? "%.1f" : "%,.0f", rate);
  }

  private static String span(Optional<Long> millis) {
    return millis.map(Duration::ofMillis).map(TimeText::span).orElse(UNKNOWN);
  }

  private static String bytes(long number) {
    if (number < 1_024) {
      return number + " B";
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    double bytes = number;
    int unit = -1;
    while (bytes >= 1_024 && unit < units.length - 1) {
      bytes /= 1_024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", bytes, units[unit]);
  }
}
