package io.lastfix.cli.bench;

import io.lastfix.cli.bench.QueryLoad.Answers;
import io.lastfix.cli.bench.QueryLoad.Question;
import io.lastfix.cli.bench.ResultTable.Column;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How many questions are answered while records come in: the pilot's tables. */
final class QueryPart implements BenchPart {
  /** Of the most that is stored as fast as it is sent. */
  private static final double[] OFFERED_SHARES = {0, 0.1, 0.25, 0.5, 0.75, 1};

  private static final int[] CLIENTS = {1, 8, 32};
  private static final Duration SETTLING = Duration.ofSeconds(3);

  /** What waits in Kafka shall last longer than the questions. */
  private static final double BACKLOG_RESERVE = 1.5;

  private static final double WANTED_PER_SECOND = 1_000;

  @Override
  public void run(Bench bench) throws Exception {
    Measurement stored = new Ingest(bench).measure(bench.workload());
    bench.ingestRateIfUnknown(stored.rate());
    bench.say("Stored %,d records to ask for".formatted(stored.records()));
    List<Asked> all = new ArrayList<>();
    List<Asked> atFullIngest;
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
          all.addAll(askAll(bench, job, load));
          bench.say(
              "Queries at %,.0f records/s offered are measured; sent %,d"
                  .formatted(offered, feed.sent()));
        }
        job.awaitAllStored();
      }
      // As fast as the job can, and without a sender that takes its share of the machine.
      job.sendAtOnce(Math.round(BACKLOG_RESERVE * bench.ingestRate() * secondsOfAll(bench)));
      atFullIngest = askAll(bench, job, load);
      // Where nothing waits any more, it is not full ingest that was measured.
      atFullIngest.stream().filter(asked -> asked.lag() > 0).forEach(all::add);
      bench.say("Queries at full ingest are measured");
      job.awaitAllStored();
    }
    report(bench, all, atFullIngest);
  }

  private static double secondsOfAll(Bench bench) {
    return SETTLING.toSeconds()
        + (double) Question.values().length * CLIENTS.length * bench.options().seconds();
  }

  private static List<Asked> askAll(Bench bench, LiveJob job, QueryLoad load)
      throws InterruptedException {
    Thread.sleep(SETTLING.toMillis());
    List<Asked> all = new ArrayList<>();
    for (Question question : Question.values()) {
      for (int clients : CLIENTS) {
        long nanos = System.nanoTime();
        long storedBefore = job.stored();
        long sentBefore = job.sent();
        Answers answers =
            load.ask(question, clients, Duration.ofSeconds(bench.options().seconds()));
        double seconds = (System.nanoTime() - nanos) / 1e9;
        all.add(
            new Asked(
                question,
                clients,
                answers.perSecond(),
                answers.latencies(),
                (job.sent() - sentBefore) / seconds,
                (job.stored() - storedBefore) / seconds,
                job.lag()));
      }
    }
    return all;
  }

  private static void report(Bench bench, List<Asked> all, List<Asked> atFullIngest)
      throws Exception {
    ResultTable table =
        new ResultTable(
            "query",
            "Queries while ingesting: each client asks again as soon as it is answered; where: one device's last"
                + " known location; history: the newest 100 records of one device; at the end, what waits in"
                + " Kafka is stored as fast as it goes",
            new Column("sent", "sent records/s", 0),
            new Column("stored", "stored records/s", 0),
            new Column("question", "question", 0),
            new Column("clients", "clients", 0),
            new Column("queriesPerSecond", "queries/s", 0),
            new Column("p50Millis", "p50 ms", 2),
            new Column("p99Millis", "p99 ms", 2));
    LinePlot plot =
        new LinePlot("Queries while ingesting", "records stored a second", "queries a second");
    for (Asked asked : all) {
      table.row(
          asked.sentRate(),
          asked.storedRate(),
          asked.name(),
          asked.clients(),
          asked.perSecond(),
          asked.latencies().percentile(50),
          asked.p99());
      plot.add(
          "%s, %d %s"
              .formatted(
                  asked.name(), asked.clients(), asked.clients() == 1 ? "client" : "clients"),
          asked.storedRate(),
          asked.perSecond());
    }
    bench.report().add(table);
    bench
        .report()
        .add(
            Goal.atLeast(
                "where/s at full ingest (at half its rate or more), with p99 under 20 ms",
                WANTED_PER_SECOND,
                Asked.wheresAtFullIngest(atFullIngest, bench.ingestRate())));
    plot.write(bench.options().output().resolve("queries.png"));
  }
}
