package io.lastfix.cli.bench;

import io.lastfix.cli.bench.QueryLoad.Answers;
import io.lastfix.cli.bench.QueryLoad.Question;
import io.lastfix.cli.bench.ResultTable.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How many questions are answered while records come in: the pilot's tables. */
final class QueryPart implements BenchPart {
  /** Of the most that is stored as fast as it is sent. */
  private static final double[] OFFERED_SHARES = {0, 0.1, 0.25, 0.5, 0.75, 1};

  /** What waits in Kafka is stored as fast as it goes. */
  private static final String FULL = "full";

  private static final int[] CLIENTS = {1, 8, 32};
  private static final Duration SETTLING = Duration.ofSeconds(3);

  private static final int GOAL_PER_SECOND = 1_000;

  /** Questions a second: what the pilot wanted, and what Lastfix wants. */
  private static final int[] WANTED_PER_SECOND = {100, GOAL_PER_SECOND};

  private static final int WANTED_CLIENTS = 8;

  /** Of the other measurements: for enough answers that are slow. */
  private static final int WANTED_TIMES_SECONDS = 3;

  /** What waits in Kafka shall last longer than the questions. */
  private static final double BACKLOG_RESERVE = 1.1;

  private static final double GOAL_P99_MILLIS = 20;

  /** Of the rate without questions: with less, it would be the questions that have the machine. */
  private static final double GOAL_STORED_SHARE = 0.5;

  @Override
  public void run(Bench bench) throws Exception {
    Measurement stored = new Ingest(bench).measure(bench.workload());
    bench.ingestRateIfUnknown(stored.rate());
    bench.say("Stored %,d records to ask for".formatted(stored.records()));
    List<Asked> all = new ArrayList<>();
    Map<Integer, List<Asked>> inTime;
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
          all.addAll(askAll(bench, job, load, percent(share)));
          bench.say(
              "Queries at %,.0f records/s offered are measured; sent %,d"
                  .formatted(offered, feed.sent()));
        }
        job.awaitAllStored();
      }
      // As fast as the job can, and without a sender that takes its share of the machine.
      job.sendAtOnce(Math.round(BACKLOG_RESERVE * bench.ingestRate() * secondsOfBacklog(bench)));
      askAll(bench, job, load, FULL).stream().filter(Asked::isAtFullIngest).forEach(all::add);
      inTime = askInTime(bench, job, load);
      job.awaitAllStored();
    }
    reportAll(bench, all);
    reportInTime(bench, inTime, bench.ingestRate());
  }

  private static double secondsOfBacklog(Bench bench) {
    int measurements =
        Question.values().length * CLIENTS.length
            + WANTED_PER_SECOND.length * WANTED_TIMES_SECONDS * bench.options().rounds();
    return SETTLING.toSeconds() + (double) measurements * bench.options().seconds();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static List<Asked> askAll(Bench bench, LiveJob job, QueryLoad load, String ingest)
      throws InterruptedException {
    Thread.sleep(SETTLING.toMillis());
    Duration duration = Duration.ofSeconds(bench.options().seconds());
    List<Asked> all = new ArrayList<>();
    for (Question question : Question.values()) {
      for (int clients : CLIENTS) {
        all.add(asked(job, ingest, question, clients, () -> load.ask(question, clients, duration)));
      }
    }
    return all;
  }

  private static Map<Integer, List<Asked>> askInTime(Bench bench, LiveJob job, QueryLoad load)
      throws InterruptedException {
    Duration duration = Duration.ofSeconds((long) WANTED_TIMES_SECONDS * bench.options().seconds());
    Map<Integer, List<Asked>> all = new LinkedHashMap<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (int wanted : WANTED_PER_SECOND) {
        Asked asked =
            asked(
                job,
                FULL,
                Question.WHERE,
                WANTED_CLIENTS,
                () -> load.ask(Question.WHERE, WANTED_CLIENTS, wanted, duration));
        all.computeIfAbsent(wanted, any -> new ArrayList<>()).add(asked);
        bench.say(
            "%,d where/s at full ingest, round %d: p99 %.1f ms; stored %,.0f records/s, %,d waited"
                .formatted(wanted, round, asked.p99(), asked.storedRate(), asked.lag()));
      }
    }
    return all;
  }

  private interface Asking {
    Answers run() throws InterruptedException;
  }

  private static Asked asked(
      LiveJob job, String ingest, Question question, int clients, Asking asking)
      throws InterruptedException {
    long nanos = System.nanoTime();
    long storedBefore = job.stored();
    long sentBefore = job.sent();
    Answers answers = asking.run();
    double seconds = (System.nanoTime() - nanos) / 1e9;
    return new Asked(
        ingest,
        question,
        clients,
        answers.perSecond(),
        answers.latencies(),
        (job.sent() - sentBefore) / seconds,
        (job.stored() - storedBefore) / seconds,
        job.lag());
  }

  private static void reportAll(Bench bench, List<Asked> all) throws IOException {
    ResultTable table =
        new ResultTable(
            "query",
            "Queries while ingesting: each client asks again as soon as it is answered; where: one device's last"
                + " known location; history: the newest 100 records of one device; full: what waits in"
                + " Kafka is stored as fast as it goes, with no sender beside it",
            new Column("ingest", "of the most", 0),
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
          asked.ingest(),
          asked.sentRate(),
          asked.storedRate(),
          asked.name(),
          asked.clients(),
          asked.perSecond(),
          asked.p50(),
          asked.p99());
      plot.add(
          "%s, %d %s"
              .formatted(
                  asked.name(), asked.clients(), asked.clients() == 1 ? "client" : "clients"),
          asked.storedRate(),
          asked.perSecond());
    }
    bench.report().add(table);
    plot.write(bench.options().output().resolve("queries.png"));
  }

  private static void reportInTime(
      Bench bench, Map<Integer, List<Asked>> found, double ingestRate) {
    ResultTable table =
        new ResultTable(
            "queryInTime",
            "Queries at full ingest: where, asked by %d clients at moments that do not wait for the answers"
                .formatted(WANTED_CLIENTS),
            new Column("asked", "asked/s", 0),
            new Column("answered", "answered/s", 0),
            new Column("p50Millis", "p50 ms", 2),
            new Column("p99Millis", "p99 ms", 2),
            new Column("spread", "least–most p99", 1),
            new Column("stored", "stored records/s", 0),
            new Column("share", "of the ingest rate", 2));
    found.forEach(
        (wanted, rounds) ->
            table.row(
                wanted,
                Asked.medianAtFullIngest(rounds, Asked::perSecond),
                Asked.medianAtFullIngest(rounds, Asked::p50),
                Asked.medianAtFullIngest(rounds, Asked::p99),
                Statistics.spread(rounds.stream().map(Asked::p99).toList(), 1),
                Asked.medianAtFullIngest(rounds, Asked::storedRate),
                Asked.medianAtFullIngest(rounds, Asked::storedRate) / ingestRate));
    bench.report().add(table);
    List<Asked> rounds = found.get(GOAL_PER_SECOND);
    String whyNot = "the job had stored all that waited before all was asked";
    bench
        .report()
        .add(
            Goal.atMost(
                    "%,d where/s at full ingest: p99 ms".formatted(GOAL_PER_SECOND),
                    GOAL_P99_MILLIS,
                    Asked.medianAtFullIngest(rounds, Asked::p99))
                .orElse(whyNot));
    bench
        .report()
        .add(
            Goal.atLeast(
                    "%,d where/s at full ingest: records stored, as a share of the ingest rate"
                        .formatted(GOAL_PER_SECOND),
                    GOAL_STORED_SHARE,
                    Asked.medianAtFullIngest(rounds, Asked::storedRate) / ingestRate)
                .orElse(whyNot));
  }
}
