package io.lastfix.cli.analytics;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.cli.job.HistoryJobCommand;
import io.lastfix.jobs.AnalyzeJob;
import io.lastfix.jobs.AnalyzeTimes;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.CountQueries;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
          + " All but counts also read records from 3 hours before the range, and 30 minutes"
          + " (density and flows) or 24 hours (stays and trips) after it. A stay or trip belongs to"
          + " the range in which it begins.",
      "Density before and after the range stays as it was. So density needs the end of the job, and"
          + " cannot be combined with --detach.",
      "With --detach, numbers that are not found again stay."
    })
public final class AnalyzeCommand extends HistoryJobCommand {
  /** What can be computed. */
  enum What {
    COUNTS,
    DENSITY,
    FLOWS,
    STAYS,
    TRIPS,
    ALL;

    private List<NumberKind> kinds() {
      return this == ALL ? List.of(NumberKind.values()) : List.of(NumberKind.valueOf(name()));
    }
  }

  private static final String MINIMUM_GROUP = "analytics.minimum-group";

  private final Instant now = Instant.now();

  @Parameters(
      paramLabel = "WHAT",
      description =
          "counts, density, flows, stays or trips: the numbers of the command of that name; all:"
              + " all of them in one job.")
  private What what = What.COUNTS;

  /** Called by picocli. */
  public AnalyzeCommand() {
    super(Jobs.ANALYZE);
  }

  @Override
  protected Servers.Kind[] needed() {
    return new Servers.Kind[] {Servers.Kind.MONGO};
  }

  @Override
  protected List<String> moreArguments() {
    return List.of(
        "--numbers",
        what.kinds().stream().map(NumberKind::text).collect(Collectors.joining(",")),
        "--now",
        now.toString());
  }

  @Override
  protected Instant end(LocationJobConfig config, @Nullable Instant given) {
    AnalyticsOptions analytics = config.analytics();
    Instant rewritten =
        now.minus(analytics.outOfOrderness()).minus(analytics.timeline().lateness());
    if (given == null) {
      return what.kinds().contains(NumberKind.FLOWS)
          ? rewritten.truncatedTo(ChronoUnit.HOURS)
          : CountQueries.windowOf(rewritten);
    }
    if (given.isAfter(rewritten)) {
      err()
          .println(
              "--to: the stream still rewrites numbers after %s. They are labelled batch now, and may lack records that arrive meanwhile"
                  .formatted(rewritten.truncatedTo(ChronoUnit.SECONDS)));
    }
    return given;
  }

  @Override
  protected void check(LocationJobConfig config, JobSettings settings, Servers servers) {
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
      err()
          .println(
              "%s is %d here, and %d in the configuration: all who may read the collections of %s will see groups of fewer than %d devices"
                  .formatted(
                      MINIMUM_GROUP,
                      group,
                      configured,
                      String.join(" and ", ofGroups),
                      configured));
    }
  }

  @Override
  protected void run(LocationJobConfig config, Run run) throws IOException, InterruptedException {
    Instant began = Instant.now();
    MongoOptions mongo = config.historyMongo().withApplicationName("lastfix-cli");
    String name = what.name().toLowerCase(Locale.ROOT);
    String numbers = name.equals("all") ? "all numbers" : name;
    err().printf("Computing %s%s from History%n", numbers, inWords(range()));
    err().flush();
    Map<String, String> counted;
    try (MongoClient client = MongoClientFactory.create(mongo, 1)) {
      MongoDatabase database = client.getDatabase(mongo.database());
      List<Replaced> replaced = replaced(config, database, mongo.readTimeout());
      Optional<DensityAnchors> anchors = anchors(config, database, mongo.readTimeout(), replaced);
      try (StatusLine status = StatusLine.onStandardError()) {
        status.show("marking the numbers to replace");
        anchors.ifPresent(DensityAnchors::begin);
        replaced.forEach(Replaced::begin);
        status.show("starting the job");
      }
      counted = awaitOrExplain(run);
      try (StatusLine status = StatusLine.onStandardError()) {
        status.show("removing the numbers that were not found again");
        replaced.forEach(Replaced::end);
        anchors.ifPresent(DensityAnchors::end);
      }
    }
    double seconds = Duration.between(began, Instant.now()).toMillis() / 1000.0;
    long documents = count(counted, AnalyzeJob.DOCUMENTS);
    print(
        JsonNodeFactory.instance
            .objectNode()
            .put("what", name)
            .put("documents", documents)
            .put("seconds", seconds),
        String.format(
            Locale.ROOT,
            "Computed %s from %,d records of History in %.1f s (%,.0f/s)",
            numbers,
            documents,
            seconds,
            documents / seconds));
  }

  private Map<String, String> awaitOrExplain(Run run) throws IOException, InterruptedException {
    try {
      return run.await();
    } catch (IOException e) {
      throw new IOException(
          e.getMessage()
              + ". The numbers of the range are as they were or already replaced, and marked as"
              + " incomplete: run lastfix analyze for it again",
          e);
    }
  }

  private static String inWords(TimeRange range) {
    return range.from().equals(TimeRange.ALL.from())
        ? " up to " + range.to()
        : " from %s to %s".formatted(range.from(), range.to());
  }

  /** The numbers of one kind that the job replaces. */
  private record Replaced(
      NumberKind kind, Recount recount, List<HistoryPartition> partitions, TimeRange range) {
    void begin() {
      recount.begin(partitions, range.from(), range.to());
    }

    void end() {
      recount.end(partitions, range.from(), range.to());
    }
  }

  /** Only what History can still tell: the rest of the range may have been dropped. */
  private List<Replaced> replaced(
      LocationJobConfig config, MongoDatabase database, Duration timeLimit) {
    AnalyticsOptions analytics = config.analytics();
    HistoryQueries history =
        new HistoryQueries(
            database, config.history().collectionPrefix(), QueryOptions.within(timeLimit));
    AnalyzeTimes times = new AnalyzeTimes(range(), analytics.timeline(), now);
    List<Replaced> replaced = new ArrayList<>();
    for (NumberKind kind : what.kinds()) {
      times
          .results(kind)
          .ifPresent(
              range ->
                  replaced.add(
                      new Replaced(
                          kind,
                          new Recount(
                              database,
                              analytics.collections(kind),
                              kind == NumberKind.COUNTS
                                  ? analytics.grouping().by().stream().map(CountBy::text).toList()
                                  : List.of()),
                          history.partitions(range),
                          range)));
    }
    return replaced;
  }

  /** Numbers of dropped periods stay, so the range begins with the first period that there is. */
  private Optional<DensityAnchors> anchors(
      LocationJobConfig config, MongoDatabase database, Duration timeLimit, List<Replaced> all) {
    AnalyticsOptions analytics = config.analytics();
    return all.stream()
        .filter(
            replaced -> replaced.kind() == NumberKind.DENSITY && !replaced.partitions().isEmpty())
        .findFirst()
        .map(
            replaced -> {
              TimeRange range = replaced.range();
              Instant first =
                  Collections.min(replaced.partitions(), comparing(HistoryPartition::start))
                      .start();
              return new DensityAnchors(
                  database,
                  analytics.collections(NumberKind.DENSITY),
                  new TimeRange(first.isAfter(range.from()) ? first : range.from(), range.to()),
                  now,
                  analytics.minimumGroup(),
                  timeLimit);
            });
  }

  /** The anchors of density need the end of the job. */
  @Override
  protected void checkDetached() {
    if (what.kinds().contains(NumberKind.DENSITY)) {
      throw usageError(
          "--detach: density is complete only after a step that follows the job: leave out --detach");
    }
  }

  @Override
  protected String progress(Map<String, String> counted) {
    return "%,d records read".formatted(count(counted, AnalyzeJob.DOCUMENTS));
  }
}
