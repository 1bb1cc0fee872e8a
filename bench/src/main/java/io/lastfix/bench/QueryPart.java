package io.lastfix.bench;

import io.lastfix.bench.QueryLoadResult.Rounds;
import io.lastfix.bench.measure.CpuColumns;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.plot.LinePlot;
import io.lastfix.bench.servers.QueryLoad;
import io.lastfix.bench.servers.QueryLoad.Answers;
import io.lastfix.bench.servers.QueryLoad.Query;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Queries answered during ingest, in the tables of the pilot. */
final class QueryPart implements BenchPart {
  /** Of the maximum sustainable rate. */
  private static final double[] OFFERED_SHARES = {0, 0.1, 0.25, 0.5, 0.75, 1};

  /** The job stores a backlog in Kafka as fast as it can. */
  private static final String FULL = "full";

  private static final int MAX_CLIENTS = 32;
  private static final List<Integer> CLIENTS = List.of(1, 8, MAX_CLIENTS);
  private static final Duration SETTLING = Duration.ofSeconds(3);

  /** Queries a second: the pilot's target. */
  private static final int PILOTS_PER_SECOND = 100;

  /** Factor by which the backlog exceeds the expected need, so that it outlasts the queries. */
  private static final double BACKLOG_RESERVE = 2;

  /**
   * Attempts to build the backlog, each with twice as many records, because the rate is not known
   * at first.
   */
  private static final int BACKLOG_ATTEMPTS = 4;

  /**
   * Share of the incoming records: if less is stored, the offered load exceeded the job's capacity.
   */
  private static final double KEPT_UP_SHARE = 0.9;

  @Override
  public void run(Bench bench) throws Exception {
    double maxRate = bench.maxSustainableRate();
    try (LiveJob job = new LiveJob(bench);
        QueryLoad load =
            new QueryLoad(bench.config(), bench.reportingUsers(bench.workload()), MAX_CLIENTS)) {
      Session session = new Session(bench, job, load);
      session.measureAtOfferedRates(maxRate);
      session.measureAtFullIngest();
      session.report();
    }
  }

  /** One job, and the queries while it stored. */
  private static final class Session {
    private final Bench bench;
    private final Goals.Query goals;
    private final LiveJob job;
    private final QueryLoad load;
    private final Duration duration;

    /** A checkpoint delays the ingest, so a measurement covers at least one checkpoint interval. */
    private final Duration durationAtFullIngest;

    /** Results at offered loads. */
    private final List<Rounds> offered = new ArrayList<>();

    /** Results at full ingest, by query and clients. */
    private final Map<String, List<QueryLoadResult>> full = new LinkedHashMap<>();

    /** Results at full ingest, by queries a second. */
    private final Map<Integer, List<QueryLoadResult>> atFixedRate = new LinkedHashMap<>();

    /** Records a second at full ingest: long-running code is faster than a job's first. */
    private double maxStoredRate;

    Session(Bench bench, LiveJob job, QueryLoad load) {
      this.bench = bench;
      goals = bench.goals().query();
      this.job = job;
      this.load = load;
      duration = Duration.ofSeconds(bench.options().seconds());
      Duration checkpoints = bench.config().recovery().checkpointInterval();
      durationAtFullIngest = duration.compareTo(checkpoints) < 0 ? checkpoints : duration;
    }

    void measureAtOfferedRates(double maxRate) throws Exception {
      for (double share : OFFERED_SHARES) {
        double rate = share * maxRate;
        String percent = String.format(Locale.ROOT, "%.0f %%", 100 * share);
        try (LiveFeed feed = job.feed(rate)) {
          Thread.sleep(SETTLING.toMillis());
          for (Query query : Query.values()) {
            for (int clients : CLIENTS) {
              job.awaitCaughtUp(rate);
              offered.add(
                  new Rounds(List.of(measure(percent, Double.NaN, query, clients, duration))));
            }
          }
          bench.say(
              "Queries at %,.0f records/s offered are measured; sent %,d"
                  .formatted(rate, feed.sent()));
        }
        job.awaitAllStored();
      }
    }

    /** Queries while the job stores as fast as it can, without a sender that uses the CPU. */
    void measureAtFullIngest() throws Exception {
      for (int round = 1; round <= bench.options().rounds(); round++) {
        for (Query query : Query.values()) {
          // Measured directly before the queries, because the rate drifts within minutes.
          double fullRate = rateWithoutQueries();
          keepBacklog(CLIENTS.size());
          for (int clients : BenchPart.inTurn(CLIENTS, round)) {
            full.computeIfAbsent(query + " " + clients, any -> new ArrayList<>())
                .add(measure(FULL, fullRate, query, clients, durationAtFullIngest));
          }
        }
        double fullRate = rateWithoutQueries();
        List<Integer> rates = List.of(PILOTS_PER_SECOND, goals.perSecond());
        keepBacklog(rates.size());
        for (int perSecond : rates) {
          QueryLoadResult result =
              measure(
                  FULL,
                  fullRate,
                  Query.WHERE,
                  MAX_CLIENTS,
                  () -> load.run(Query.WHERE, MAX_CLIENTS, perSecond, durationAtFullIngest));
          atFixedRate.computeIfAbsent(perSecond, any -> new ArrayList<>()).add(result);
        }
        bench.say(
            "Queries at full ingest, round %d, are measured: %,.0f records/s without queries; %,d records still wait"
                .formatted(round, fullRate, job.lag()));
      }
      job.awaitAllStored();
    }

    /** Builds a backlog in Kafka that lasts for this number of measurements. */
    private void keepBacklog(double measurements) throws Exception {
      double seconds = SETTLING.toSeconds() + measurements * durationAtFullIngest.toSeconds();
      double rate = Math.max(job.ingestRate(), maxStoredRate);
      long missing = Math.round(BACKLOG_RESERVE * rate * seconds) - job.lag();
      if (missing > 0) {
        job.sendAtOnce(missing);
      }
      Thread.sleep(SETTLING.toMillis());
    }

    /** Records a second; 0 if the job stored the whole backlog before the end. */
    private double rateWithoutQueries() throws Exception {
      for (int attempt = 0; attempt < BACKLOG_ATTEMPTS; attempt++) {
        keepBacklog(Math.pow(2, attempt));
        LiveJob.Counting counting = job.new Counting();
        Thread.sleep(durationAtFullIngest.toMillis());
        double rate = counting.rates().stored();
        maxStoredRate = Math.max(maxStoredRate, rate);
        if (job.lag() > 0) {
          return rate;
        }
      }
      return 0;
    }

    private QueryLoadResult measure(
        String ingest, double fullRate, Query query, int clients, Duration time)
        throws InterruptedException {
      return measure(ingest, fullRate, query, clients, () -> load.run(query, clients, time));
    }

    private QueryLoadResult measure(
        String ingest, double fullRate, Query query, int clients, QueryRun queries)
        throws InterruptedException {
      LiveJob.Counting counting = job.new Counting();
      Answers answers = queries.run();
      LiveJob.Rates rates = counting.rates();
      return new QueryLoadResult(
          ingest,
          query,
          clients,
          answers.perSecond(),
          answers.latencies(),
          rates,
          fullRate,
          job.lag());
    }

    void report() throws IOException {
      reportAll();
      reportFixedRate();
      String whyNot = "the job had stored all waiting records before the queries ended";
      List<Rounds> whereResults =
          full.values().stream()
              .map(Rounds::new)
              .filter(rounds -> rounds.first().query() == Query.WHERE)
              .toList();
      double best =
          whereResults.stream()
              .filter(Rounds::areValid)
              .mapToDouble(rounds -> rounds.perSecondOfGood(goals.p99Millis(), goals.ingestShare()))
              .max()
              .orElse(Double.NaN);
      // A number of clients that was not measured might have reached the target.
      boolean isKnown =
          best >= goals.perSecond() || whereResults.stream().allMatch(Rounds::areValid);
      bench
          .report()
          .add(
              Goal.atLeast(
                      "where/s at full ingest with p99 under %.0f ms, best number of clients, ingest at %.1f or more of its rate without queries"
                          .formatted(goals.p99Millis(), goals.ingestShare()),
                      goals.perSecond(),
                      isKnown ? best : Double.NaN)
                  .orElse(whyNot));
      bench
          .report()
          .add(
              Goal.atMost(
                      "%,d where/s at full ingest at a fixed rate: p99 ms (ingest at %.1f or more of its rate without queries)"
                          .formatted(goals.perSecond(), goals.ingestShare()),
                      goals.p99Millis(),
                      new Rounds(atFixedRate.get(goals.perSecond())).p99OfGood(goals.ingestShare()))
                  .orElse(whyNot));
    }

    private void reportAll() throws IOException {
      ResultTable table =
          new ResultTable(
              "query",
              "Queries while ingesting: each client sends the next query when one is answered;"
                  + " where: one device's last known location; history: the newest 100 records"
                  + " of one device; full: the job stores a backlog in Kafka as fast as it can,"
                  + " without a sender",
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

    /** The plot shows only loads that the job kept up with; the table has the others too. */
    private static boolean isKeptUpWith(Rounds rounds) {
      return rounds.median(QueryLoadResult::storedRate)
          >= KEPT_UP_SHARE * rounds.median(QueryLoadResult::sentRate);
    }

    private void reportFixedRate() {
      ResultTable table =
          new ResultTable(
              "queryInTime",
              "Queries at full ingest at a fixed rate: where, sent by %d clients that do not wait for answers"
                  .formatted(MAX_CLIENTS),
              CpuColumns.behind(
                  new Column("asked", "sent/s", 0),
                  new Column("answered", "answered/s", 0),
                  new Column("p50Millis", "p50 ms", 2),
                  new Column("p99Millis", "p99 ms", 2),
                  new Column("p99Spread", "min–max", 1),
                  new Column("stored", "stored records/s", 0),
                  new Column("share", "ratio to ingest without queries", 2)));
      for (Map.Entry<Integer, List<QueryLoadResult>> entry : atFixedRate.entrySet()) {
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

  private interface QueryRun {
    Answers run() throws InterruptedException;
  }
}
