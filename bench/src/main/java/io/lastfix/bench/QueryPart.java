package io.lastfix.bench;

import io.lastfix.bench.QueryLoad.Answers;
import io.lastfix.bench.QueryLoad.Question;
import io.lastfix.bench.QueryLoadResult.Rounds;
import io.lastfix.bench.ResultTable.Column;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How many questions are answered while records come in: the pilot's tables. */
public final class QueryPart implements BenchPart {
  /** Of the most that is stored as fast as it is sent. */
  private static final double[] OFFERED_SHARES = {0, 0.1, 0.25, 0.5, 0.75, 1};

  /** What waits in Kafka is stored as fast as it goes. */
  private static final String FULL = "full";

  private static final int MOST_CLIENTS = 32;
  private static final List<Integer> CLIENTS = List.of(1, 8, MOST_CLIENTS);
  private static final Duration SETTLING = Duration.ofSeconds(3);

  private static final int GOAL_PER_SECOND = 1_000;

  /** Questions a second: what the pilot wanted, and what Lastfix wants. */
  private static final int[] PER_SECOND = {100, GOAL_PER_SECOND};

  /** What waits in Kafka shall last longer than the questions. */
  private static final double BACKLOG_RESERVE = 2;

  /** To have enough waiting: each with twice as much, since the rate is not known at first. */
  private static final int BACKLOG_ATTEMPTS = 4;

  /** Of what comes in: with less stored, an offered load was more than the job could take. */
  private static final double KEPT_UP_SHARE = 0.9;

  private static final double GOAL_P99_MILLIS = 20;

  /** Of what is stored when nobody asks: with less, it is the questions that have the machine. */
  private static final double GOAL_STORED_SHARE = 0.5;

  @Override
  public void run(Bench bench) throws Exception {
    double most = bench.liveMost();
    try (LiveJob job = new LiveJob(bench);
        QueryLoad load =
            new QueryLoad(bench.config(), bench.reportingUsers(bench.workload()), MOST_CLIENTS)) {
      Session session = new Session(bench, job, load);
      session.askWhileOffered(most);
      session.askAtFullIngest();
      session.report();
    }
  }

  /** One job, and what was asked while it stored. */
  private static final class Session {
    private final Bench bench;
    private final LiveJob job;
    private final QueryLoad load;
    private final Duration duration;

    /** A checkpoint holds up the ingest for a while: as long as from one to the next, or longer. */
    private final Duration durationAtFullIngest;

    /** While records were offered. */
    private final List<Rounds> offered = new ArrayList<>();

    /** At full ingest, by question and clients. */
    private final Map<String, List<QueryLoadResult>> full = new LinkedHashMap<>();

    /** The same, by questions a second. */
    private final Map<Integer, List<QueryLoadResult>> inTime = new LinkedHashMap<>();

    /** Records a second, at full ingest: code that runs for long is faster than a job's first. */
    private double mostStored;

    Session(Bench bench, LiveJob job, QueryLoad load) {
      this.bench = bench;
      this.job = job;
      this.load = load;
      duration = Duration.ofSeconds(bench.options().seconds());
      Duration checkpoints = bench.config().recovery().checkpointInterval();
      durationAtFullIngest = duration.compareTo(checkpoints) < 0 ? checkpoints : duration;
    }

    void askWhileOffered(double most) throws Exception {
      for (double share : OFFERED_SHARES) {
        double rate = share * most;
        String percent = String.format(Locale.ROOT, "%.0f %%", 100 * share);
        try (LiveFeed feed = job.feed(rate)) {
          Thread.sleep(SETTLING.toMillis());
          for (Question question : Question.values()) {
            for (int clients : CLIENTS) {
              job.awaitCaughtUp(rate);
              offered.add(
                  new Rounds(List.of(ask(percent, Double.NaN, question, clients, duration))));
            }
          }
          bench.say(
              "Queries at %,.0f records/s offered are measured; sent %,d"
                  .formatted(rate, feed.sent()));
        }
        job.awaitAllStored();
      }
    }

    /** As fast as the job can, and without a sender that takes its share of the machine. */
    void askAtFullIngest() throws Exception {
      for (int round = 1; round <= bench.options().rounds(); round++) {
        for (Question question : Question.values()) {
          // Next to what is compared with it: the rate is another one minutes later.
          double fullRate = storedWhileNobodyAsks();
          keepBacklog(CLIENTS.size());
          for (int clients : BenchPart.inTurn(CLIENTS, round)) {
            full.computeIfAbsent(question + " " + clients, any -> new ArrayList<>())
                .add(ask(FULL, fullRate, question, clients, durationAtFullIngest));
          }
        }
        double fullRate = storedWhileNobodyAsks();
        keepBacklog(PER_SECOND.length);
        for (int perSecond : PER_SECOND) {
          QueryLoadResult asked =
              asked(
                  FULL,
                  fullRate,
                  Question.WHERE,
                  MOST_CLIENTS,
                  () -> load.ask(Question.WHERE, MOST_CLIENTS, perSecond, durationAtFullIngest));
          inTime.computeIfAbsent(perSecond, any -> new ArrayList<>()).add(asked);
        }
        bench.say(
            "Queries at full ingest, round %d, are measured: %,.0f records/s without queries; %,d records still wait"
                .formatted(round, fullRate, job.lag()));
      }
      job.awaitAllStored();
    }

    /** Has so much wait in Kafka that so many measurements find the job busy. */
    private void keepBacklog(double measurements) throws Exception {
      double seconds = SETTLING.toSeconds() + measurements * durationAtFullIngest.toSeconds();
      double rate = Math.max(job.ingestRate(), mostStored);
      long missing = Math.round(BACKLOG_RESERVE * rate * seconds) - job.lag();
      if (missing > 0) {
        job.sendAtOnce(missing);
      }
      Thread.sleep(SETTLING.toMillis());
    }

    /** Records a second; 0 where however much waited was stored before the end. */
    private double storedWhileNobodyAsks() throws Exception {
      for (int attempt = 0; attempt < BACKLOG_ATTEMPTS; attempt++) {
        keepBacklog(Math.pow(2, attempt));
        LiveJob.Counting counting = job.new Counting();
        Thread.sleep(durationAtFullIngest.toMillis());
        double rate = counting.rates().stored();
        mostStored = Math.max(mostStored, rate);
        if (job.lag() > 0) {
          return rate;
        }
      }
      return 0;
    }

    private QueryLoadResult ask(
        String ingest, double fullRate, Question question, int clients, Duration forSoLong)
        throws InterruptedException {
      return asked(
          ingest, fullRate, question, clients, () -> load.ask(question, clients, forSoLong));
    }

    private QueryLoadResult asked(
        String ingest, double fullRate, Question question, int clients, Asking asking)
        throws InterruptedException {
      LiveJob.Counting counting = job.new Counting();
      Answers answers = asking.run();
      LiveJob.Rates rates = counting.rates();
      return new QueryLoadResult(
          ingest,
          question,
          clients,
          answers.perSecond(),
          answers.latencies(),
          rates,
          fullRate,
          job.lag());
    }

    void report() throws IOException {
      reportAll();
      reportInTime();
      String whyNot = "the job had stored all waiting records before the queries ended";
      List<Rounds> wheres =
          full.values().stream()
              .map(Rounds::new)
              .filter(rounds -> rounds.first().question() == Question.WHERE)
              .toList();
      double most =
          wheres.stream()
              .filter(Rounds::areValid)
              .mapToDouble(rounds -> rounds.perSecondOfGood(GOAL_P99_MILLIS, GOAL_STORED_SHARE))
              .max()
              .orElse(Double.NaN);
      // What was not measured might have reached it.
      boolean isKnown = most >= GOAL_PER_SECOND || wheres.stream().allMatch(Rounds::areValid);
      bench
          .report()
          .add(
              Goal.atLeast(
                      "where/s at full ingest with p99 under %.0f ms, best number of clients, ingest at %.1f or more of its rate without queries"
                          .formatted(GOAL_P99_MILLIS, GOAL_STORED_SHARE),
                      GOAL_PER_SECOND,
                      isKnown ? most : Double.NaN)
                  .orElse(whyNot));
      bench
          .report()
          .add(
              Goal.atMost(
                      "%,d where/s at full ingest at a fixed rate: p99 ms (ingest at %.1f or more of its rate without queries)"
                          .formatted(GOAL_PER_SECOND, GOAL_STORED_SHARE),
                      GOAL_P99_MILLIS,
                      new Rounds(inTime.get(GOAL_PER_SECOND)).p99OfGood(GOAL_STORED_SHARE))
                  .orElse(whyNot));
    }

    private void reportAll() throws IOException {
      ResultTable table =
          new ResultTable(
              "query",
              "Queries while ingesting: each client sends the next query when one is answered; where: one device's"
                  + " last known location; history: the newest 100 records of one device; full: what waits in"
                  + " Kafka is stored as fast as the job can, without a sender",
              CpuColumns.behind(
                  new Column("ingest", "share of the maximum sustainable rate", 0),
                  new Column("sent", "sent records/s", 0),
                  new Column("stored", "stored records/s", 0),
                  new Column("share", "ratio to ingest without queries", 2),
                  new Column("question", "query", 0),
                  new Column("clients", "clients", 0),
                  new Column("queriesPerSecond", "queries/s", 0),
                  new Column("spread", "min–max", 0),
                  new Column("p50Millis", "p50 ms", 2),
                  new Column("p99Millis", "p99 ms", 2),
                  new Column("p99Spread", "min–max", 1)));
      LinePlot plot = new LinePlot("Queries while ingesting", "records stored/s", "queries/s");
      List<Rounds> all = new ArrayList<>(offered);
      full.values().stream().map(Rounds::new).forEach(all::add);
      for (Rounds rounds : all) {
        QueryLoadResult first = rounds.first();
        table.row(
            CpuColumns.behind(
                rounds::medianCpu,
                first.ingest(),
                rounds.median(QueryLoadResult::sentRate),
                rounds.median(QueryLoadResult::storedRate),
                rounds.median(QueryLoadResult::storedShare),
                first.name(),
                first.clients(),
                rounds.median(QueryLoadResult::perSecond),
                rounds.spread(QueryLoadResult::perSecond, 0),
                rounds.median(QueryLoadResult::p50),
                rounds.median(QueryLoadResult::p99),
                rounds.spread(QueryLoadResult::p99, 1)));
        if (rounds.areValid() && isKeptUpWith(rounds)) {
          plot.add(
              "%s, %d %s"
                  .formatted(
                      first.name(), first.clients(), first.clients() == 1 ? "client" : "clients"),
              rounds.median(QueryLoadResult::storedRate),
              rounds.median(QueryLoadResult::perSecond));
        }
      }
      bench.report().add(table);
      plot.write(bench.options().output().resolve("queries.png"));
    }

    /** The plot is of loads that were stored; the table has the others too. */
    private static boolean isKeptUpWith(Rounds rounds) {
      return rounds.median(QueryLoadResult::storedRate)
          >= KEPT_UP_SHARE * rounds.median(QueryLoadResult::sentRate);
    }

    private void reportInTime() {
      ResultTable table =
          new ResultTable(
              "queryInTime",
              "Queries at full ingest at a fixed rate: where, sent by %d clients that do not wait for answers"
                  .formatted(MOST_CLIENTS),
              CpuColumns.behind(
                  new Column("asked", "sent/s", 0),
                  new Column("answered", "answered/s", 0),
                  new Column("p50Millis", "p50 ms", 2),
                  new Column("p99Millis", "p99 ms", 2),
                  new Column("p99Spread", "min–max", 1),
                  new Column("stored", "stored records/s", 0),
                  new Column("share", "ratio to ingest without queries", 2)));
      for (Map.Entry<Integer, List<QueryLoadResult>> entry : inTime.entrySet()) {
        Rounds rounds = new Rounds(entry.getValue());
        table.row(
            CpuColumns.behind(
                rounds::medianCpu,
                entry.getKey(),
                rounds.median(QueryLoadResult::perSecond),
                rounds.median(QueryLoadResult::p50),
                rounds.median(QueryLoadResult::p99),
                rounds.spread(QueryLoadResult::p99, 1),
                rounds.median(QueryLoadResult::storedRate),
                rounds.median(QueryLoadResult::storedShare)));
      }
      bench.report().add(table);
    }
  }

  private interface Asking {
    Answers run() throws InterruptedException;
  }
}
