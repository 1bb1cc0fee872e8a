package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.mongodb.client.MongoClient;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.job.HistoryJobCommand;
import io.lastfix.jobs.AnalyzeJob;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix analyze}: counts the records of History. */
@Command(
    name = "analyze",
    description = {
      "Counts the records of History with a bounded Flink job, by the operators that count the"
          + " stream, and replaces the numbers of the stream. Both jobs may run meanwhile.",
      "The numbers then include records that came more than an hour late, and leave out those that"
          + " lastfix forget has removed. The range is extended to whole windows of ten seconds.",
      "With --detach, numbers of windows that have no record any more stay."
    })
public final class AnalyzeCommand extends HistoryJobCommand {
  /** What can be counted. */
  enum What {
    COUNTS
  }

  @Parameters(paramLabel = "WHAT", description = "counts: the numbers of lastfix counts.")
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
  protected void run(LocationJobConfig config, Run run) throws IOException, InterruptedException {
    Instant began = Instant.now();
    MongoOptions mongo = config.historyMongo().withApplicationName("lastfix-cli");
    TimeRange range = AnalyzeJob.wholeWindows(range());
    Map<String, String> counted;
    try (MongoClient client = MongoClientFactory.create(mongo, 1)) {
      List<HistoryPartition> partitions =
          new HistoryQueries(
                  client.getDatabase(mongo.database()),
                  config.history().collectionPrefix(),
                  QueryOptions.within(mongo.readTimeout()))
              .partitions(range);
      Recount recount =
          new Recount(
              client.getDatabase(mongo.database()),
              config.analytics().counts(),
              config.analytics().grouping().by().stream().map(CountBy::text).toList());
      // Only what History can still count again: the rest of the range may have been dropped.
      recount.begin(partitions, range.from(), range.to());
      counted = run.await();
      recount.end(partitions, range.from(), range.to());
    }
    double seconds = Duration.between(began, Instant.now()).toMillis() / 1000.0;
    long documents = count(counted, AnalyzeJob.DOCUMENTS);
    print(
        JsonNodeFactory.instance
            .objectNode()
            .put("what", what.name().toLowerCase(Locale.ROOT))
            .put("documents", documents)
            .put("seconds", seconds),
        String.format(
            Locale.ROOT,
            "Counted %,d records of History in %.1f s (%,.0f/s)",
            documents,
            seconds,
            documents / seconds));
  }

  @Override
  protected String progress(Map<String, String> counted) {
    return "%,d documents read".formatted(count(counted, AnalyzeJob.DOCUMENTS));
  }
}
