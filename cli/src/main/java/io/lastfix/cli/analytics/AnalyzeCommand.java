package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.cli.job.HistoryJobCommand;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.AnalyzeJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.analysis.Analysis;
import io.lastfix.operate.analysis.LateAnalysis;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix analyze}: computes numbers from the records of History. */
@Command(
    name = "analyze",
    description = {
      "Computes numbers from the records of History with a bounded Flink job, by the operators of"
          + " the stream, and replaces the numbers of the stream. Both jobs may run meanwhile.",
      "The numbers then include records that came more than an hour late, and leave out those that"
          + " lastfix forget has removed.",
      "Without --to, the range ends where the stream no longer rewrites numbers: 1 hour and"
          + " analytics.out-of-orderness before now; with flows at the full hour before that. Later"
          + " numbers would be labelled 'batch' while they still grow, and may lack records that"
          + " arrive meanwhile.",
      "The range is extended to whole windows: 10 seconds of counts and density, an hour of flows."
          + " All but counts also read records from 3 hours before the range, and after it: 30"
          + " minutes (density and flows) or 24 hours (stays and trips). A stay or trip belongs to"
          + " the range in which it begins.",
      "Density before and after the range stays as it was. So density needs the end of the job, and"
          + " cannot be combined with --detach.",
      "With --detach, numbers that are not found again stay.",
      "late computes just what records can change that came too late for the stream, and then forgets"
          + " these. It needs no range. lastfix supervise does the same by itself."
    },
    footer = "  lastfix analyze all --from 2008-05-24 --to 2008-05-26")
public final class AnalyzeCommand extends HistoryJobCommand {
  /** What can be computed. */
  enum What {
    COUNTS,
    DENSITY,
    FLOWS,
    STAYS,
    TRIPS,
    ALL,
    LATE;

    private List<NumberKind> kinds() {
      return this == ALL || this == LATE
          ? List.of(NumberKind.values())
          : List.of(NumberKind.valueOf(name()));
    }
  }

  private static final String MINIMUM_GROUP = "analytics.minimum-group";

  private static final String COUNTS_BY = "analytics.counts-by";

  private final Instant now = Instant.now();

  /** Whether counts are computed by all that the configuration has. */
  private boolean areGroupsComplete = true;

  @Parameters(
      paramLabel = "WHAT",
      description =
          "counts, density, flows, stays or trips: the numbers of the command of that name; all:"
              + " all of them in one job; late: of the records that came too late.")
  private What what = What.COUNTS;

  /** Called by picocli. */
  public AnalyzeCommand() {
    super(Jobs.ANALYZE, "%,d records read", AnalyzeJob.DOCUMENTS, Servers.Kind.MONGO);
  }

  @Override
  protected List<String> moreArguments() {
    return what == What.LATE ? List.of() : Analysis.arguments(what.kinds(), now);
  }

  @Override
  protected Instant end(LocationJobConfig config, @Nullable Instant given) {
    if (what == What.LATE) {
      return given;
    }
    Instant rewritten = Analysis.settledBefore(config.analytics(), now);
    if (given == null) {
      return what.kinds().contains(NumberKind.FLOWS)
          ? rewritten.truncatedTo(ChronoUnit.HOURS)
          : CountQueries.windowOf(rewritten);
    }
    if (given.isAfter(rewritten)) {
      say(
          "--to: the stream still rewrites numbers after %s. They are labelled batch now, and may lack records that arrive meanwhile"
              .formatted(rewritten.truncatedTo(ChronoUnit.SECONDS)));
    }
    return given;
  }

  @Override
  protected void check(LocationJobConfig config, JobSettings settings, Servers servers) {
    if (what == What.LATE && !range().equals(TimeRange.ALL)) {
      throw usageError(
          "late: the hours are those of the records that came too late: leave out --from and --to");
    }
    areGroupsComplete =
        !settings.overriddenKeys().contains(COUNTS_BY)
            || config
                .analytics()
                .grouping()
                .by()
                .containsAll(settings.without(COUNTS_BY).load(servers).analytics().grouping().by());
    if (what == What.LATE && !areGroupsComplete) {
      throw usageError(
          "late: --set %s leaves out what the configuration has: leave it out"
              .formatted(COUNTS_BY));
    }
    List<String> ofGroups =
        what.kinds().stream()
            .filter(kind -> kind == NumberKind.DENSITY || kind == NumberKind.FLOWS)
            .map(NumberKind::text)
            .toList();
    if (ofGroups.isEmpty() || !settings.overriddenKeys().contains(MINIMUM_GROUP)) {
      return;
    }
    int group = config.analytics().minimumGroup();
    int configured = settings.without(MINIMUM_GROUP).load(servers).analytics().minimumGroup();
    if (group < configured) {
      say(
          "%s is %d here, and %d in the configuration: all who may read the collections of %s will see groups of fewer than %d devices"
              .formatted(
                  MINIMUM_GROUP, group, configured, String.join(" and ", ofGroups), configured));
    }
  }

  @Override
  protected void run(LocationJobConfig config, FlinkRest flink, Run run)
      throws IOException, InterruptedException {
    if (what == What.LATE) {
      print(new LateAnalysis(config, flink, run::await).run());
      return;
    }
    Instant began = Instant.now();
    String name = what.name().toLowerCase(Locale.ROOT);
    String numbers = name.equals("all") ? "all numbers" : name;
    say("Computing %s%s from History", numbers, inWords(range()));
    Analysis.Result result;
    try (StatusLine status = StatusLine.onStandardError()) {
      result =
          new Analysis(config, what.kinds(), areGroupsComplete, range(), now)
              .run(run::await, status::show);
    }
    double seconds = Duration.between(began, Instant.now()).toMillis() / 1000.0;
    ObjectNode json =
        emptyObject()
            .put("what", name)
            .put("documents", result.documents())
            .put("seconds", seconds);
    result.countedBefore().ifPresent(records -> json.put("countedBefore", records));
    result.counted().ifPresent(records -> json.put("counted", records));
    print(
        json,
        String.format(
            Locale.ROOT,
            "Computed %s from %,d records of History in %.1f s (%,.0f/s)%s",
            numbers,
            result.documents(),
            seconds,
            result.documents() / seconds,
            inWords(result)));
  }

  private void print(LateAnalysis.Result result) {
    print(
        emptyObject()
            .put("what", "late")
            .put("analyses", result.analyses())
            .put("documents", result.documents())
            .put("added", result.records())
            .put("waiting", result.waiting()),
        result.text());
  }

  private static String inWords(Analysis.Result result) {
    return result.counted().isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            "%nRecords counted in this range: %,d, before %,d",
            result.counted().getAsLong(),
            result.countedBefore().orElse(0));
  }

  private static String inWords(TimeRange range) {
    return range.from().equals(TimeRange.ALL.from())
        ? " up to " + range.to()
        : " from %s to %s".formatted(range.from(), range.to());
  }

  /** The anchors of density need the end of the job. */
  @Override
  protected void checkDetached() {
    if (what.kinds().contains(NumberKind.DENSITY)) {
      throw usageError(
          "--detach: density is complete only after a step that follows the job: leave out --detach");
    }
  }
}
