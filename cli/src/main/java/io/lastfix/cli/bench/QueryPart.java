package io.lastfix.cli.bench;

import io.lastfix.cli.bench.QueryLoad.Answers;
import io.lastfix.cli.bench.QueryLoad.Question;
import io.lastfix.cli.bench.ResultTable.Column;
import java.time.Duration;
import java.util.Locale;

/** How many questions are answered while records come in: the pilot's tables. */
final class QueryPart implements BenchPart {
  /** Of the most that can be stored for long; the last is more than it takes. */
  private static final double[] OFFERED_SHARES = {0, 0.1, 0.25, 0.5, 0.75, 1, 2};

  private static final int[] CLIENTS = {1, 8, 32};
  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final double WANTED_PER_SECOND = 1_000;
  private static final double WANTED_P99_MILLIS = 20;

  @Override
  public void run(Bench bench) throws Exception {
    Measurement stored = new Ingest(bench).measure(bench.workload());
    bench.say("Stored %,d records to ask for".formatted(stored.records()));
    ResultTable table =
        new ResultTable(
            "query",
            "Queries while ingesting: each client asks again as soon as it is answered; where: one device's last"
                + " known location; history: the newest 100 records of one device",
            new Column("sent", "sent records/s", 0),
            new Column("stored", "stored records/s", 0),
            new Column("question", "question", 0),
            new Column("clients", "clients", 0),
            new Column("queriesPerSecond", "queries/s", 0),
            new Column("p50Millis", "p50 ms", 2),
            new Column("p99Millis", "p99 ms", 2));
    LinePlot plot =
        new LinePlot("Queries while ingesting", "records stored a second", "queries a second");
    double best = 0;
    try (LiveJob job = new LiveJob(bench);
        QueryLoad load =
            new QueryLoad(
                bench.config(),
                bench.reportingUsers(bench.workload()),
                CLIENTS[CLIENTS.length - 1])) {
      double most = bench.liveMost(job);
      for (double share : OFFERED_SHARES) {
        double offered = share * most;
        try (LiveFeed feed = job.feed(offered)) {
          Thread.sleep(SETTLING.toMillis());
          for (Question question : Question.values()) {
            for (int clients : CLIENTS) {
              long nanos = System.nanoTime();
              long before = job.stored();
              long sentBefore = feed.sent();
              Answers answers =
                  load.ask(question, clients, Duration.ofSeconds(bench.options().seconds()));
              double seconds = (System.nanoTime() - nanos) / 1e9;
              double storedRate = (job.stored() - before) / seconds;
              double sentRate = (feed.sent() - sentBefore) / seconds;
              double p99 = answers.latencies().percentile(99);
              String name = question.name().toLowerCase(Locale.ROOT);
              table.row(
                  sentRate,
                  storedRate,
                  name,
                  clients,
                  answers.perSecond(),
                  answers.latencies().percentile(50),
                  p99);
              plot.add(
                  "%s, %d %s".formatted(name, clients, clients == 1 ? "client" : "clients"),
                  storedRate,
                  answers.perSecond());
              if (share > 1 && question == Question.WHERE && p99 < WANTED_P99_MILLIS) {
                best = Math.max(best, answers.perSecond());
              }
            }
          }
          bench.say(
              "Queries at %,.0f records/s offered are measured; sent %,d"
                  .formatted(offered, feed.sent()));
        }
        job.awaitAllStored();
      }
    }
    bench.report().add(table);
    bench
        .report()
        .add(
            Goal.atLeast(
                "where/s while more comes in than is taken, with p99 under 20 ms",
                WANTED_PER_SECOND,
                best));
    plot.write(bench.options().output().resolve("queries.png"));
  }
}
