package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.counts.CountLatencies;
import io.lastfix.bench.counts.CountLatencies.Observer;
import io.lastfix.bench.counts.CountWatch;
import io.lastfix.bench.load.Latencies;
import io.lastfix.bench.measure.CpuColumns;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.kit.poll.Poll;
import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.operate.bench.CountsMeasurement;
import io.lastfix.store.counts.NumberKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The counts of the analytics job: how late a count is, what it takes from the location job's rate,
 * and how fast the same operators count History.
 */
final class AnalyticsPart implements BenchPart {
  private static final String COUNTS = NumberKind.COUNTS.text();

  private static final double[] SHARES = {0.1, 0.5};
  private static final double GOAL_SHARE = 0.5;

  /** How long the first windows still have records of the search for the rate. */
  private static final Duration SETTLING = Duration.ofSeconds(12);

  private static final int OBSERVED_SECONDS_FACTOR = 6;
  private static final Duration MIN_OBSERVED = Duration.ofSeconds(60);
  private static final Duration LATEST = Duration.ofSeconds(30);

  /**
   * How old the waiting records are: a backlog. Records of the last five minutes are counted each
   * second, older ones more rarely; without this age, a run of some minutes would measure both.
   */
  private static final Duration BACKLOG_AGE = Duration.ofHours(1);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Records of a millisecond of the waiting records: about as many as the job stores in one. */
  static final int PER_MILLI = 30;

  /** What runs while the location job stores what waits in Kafka. */
  private enum Candidate {
    ALONE("the location job alone"),
    LOCATED("the same with the topic of located records"),
    COUNTS("the same, and the analytics job counts");

    private final String words;

    Candidate(String words) {
      this.words = words;
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    if (bench.config().locatedTopic() != null) {
      throw new IllegalStateException(
          "the configuration names a topic of located records, so the job cannot be measured"
              + " without one: remove located.topic for this part");
    }
    for (CountsMeasurement wanted : bench.options().analyticsMeasurements()) {
      switch (wanted) {
        case batch -> new AnalyzeRun(bench).measure();
        case rate -> measureRate(bench);
        case latency -> measureLatency(bench);
      }
    }
  }

  private static Map<String, String> located(String topic) {
    return Map.of("located.topic", topic);
  }

  private static RunningJob startCounting(Bench bench, String located) throws Exception {
    RunningJob job =
        bench.submitAnalytics(Map.of("located.topic", located, "analytics.numbers", COUNTS));
    try {
      Poll poll = new Poll(POLL, PATIENCE);
      while (!bench.flink().areAllTasksRunning(job.id())) {
        job.requireAlive();
        poll.pause(
            () ->
                new IOException(
                    "not all of the analytics job's tasks run after %d s"
                        .formatted(PATIENCE.toSeconds())));
      }
      return job;
    } catch (Exception e) {
      job.close();
      throw e;
    }
  }

  private static void measureRate(Bench bench) throws Exception {
    Workload workload = bench.workload().dense(PER_MILLI).before(BACKLOG_AGE);
    bench.say("Analytics: warming up");
    Measurement warmUp = measure(bench, workload, Candidate.COUNTS);
    bench.say("Analytics, warm-up: %,.0f records/s".formatted(warmUp.rate()));
    List<Map<Candidate, Measurement>> rounds = new ArrayList<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      Map<Candidate, Measurement> found = new EnumMap<>(Candidate.class);
      for (Candidate candidate : BenchPart.inTurn(List.of(Candidate.values()), round)) {
        found.put(candidate, measure(bench, workload, candidate));
        bench.say(
            "Analytics, round %d: %s: %,.0f records/s"
                .formatted(round, candidate.words, found.get(candidate).rate()));
      }
      rounds.add(found);
    }
    ResultTable table =
        new ResultTable(
            "analyticsRate",
            "Analytics: the location job's rate without and with counts of the same records, %,d records a second by their timestamps"
                .formatted(1_000 * PER_MILLI),
            new Column("candidate", "what runs", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("ratio", "ratio to the job alone", 2),
            new Column("spread", "min–max", 2),
            new Column("flinkMicros", "Flink µs/record", 1),
            new Column("kafkaMicros", "Kafka µs", 1),
            new Column("mongodbMicros", "MongoDB µs", 1));
    for (Candidate candidate : Candidate.values()) {
      List<Measurement> measured = rounds.stream().map(found -> found.get(candidate)).toList();
      List<Double> ratios = ratios(rounds, candidate);
      table.row(
          candidate.words,
          Measurement.medianOf(measured, Measurement::rate),
          Statistics.median(ratios),
          Statistics.spread(ratios, 2),
          median(measured, Server.FLINK),
          median(measured, Server.KAFKA),
          median(measured, Server.MONGODB));
    }
    bench.report().add(table);
    bench
        .report()
        .add(
            Goal.atLeast(
                "the location job's rate with located records and counts, as a ratio to its rate without",
                bench.goals().analytics().rateRatio(),
                Statistics.median(ratios(rounds, Candidate.COUNTS))));
  }

  private static double median(List<Measurement> measured, Server server) {
    ToDoubleFunction<Measurement> micros = measurement -> measurement.micros(server);
    return Measurement.medianOf(measured, micros);
  }

  private static List<Double> ratios(
      List<Map<Candidate, Measurement>> rounds, Candidate candidate) {
    return rounds.stream()
        .map(found -> found.get(candidate).rate() / found.get(Candidate.ALONE).rate())
        .toList();
  }

  private static Measurement measure(Bench bench, Workload workload, Candidate candidate)
      throws Exception {
    Ingest ingest = new Ingest(bench);
    return switch (candidate) {
      case ALONE -> ingest.measure(workload);
      case LOCATED -> ingest.measure(workload, located(bench.newLocatedTopic()));
      case COUNTS -> {
        String topic = bench.newLocatedTopic();
        try (RunningJob counting = startCounting(bench, topic)) {
          Measurement measured = ingest.measure(workload, located(topic));
          counting.requireAlive();
          yield measured;
        }
      }
    };
  }

  private static void measureLatency(Bench bench) throws Exception {
    ResultTable table =
        new ResultTable(
            "analyticsLatency",
            "Analytics: time from the sending of a record until a count of its window includes it",
            CpuColumns.behind(
                new Column("load", "share of the maximum sustainable rate with counts", 2),
                new Column("sent", "sent records/s", 0),
                new Column("place", "published in", 0),
                new Column("records", "records", 0),
                new Column("p50Millis", "p50 ms", 0),
                new Column("p95Millis", "p95 ms", 0),
                new Column("p99Millis", "p99 ms", 0),
                new Column("maxMillis", "max ms", 0),
                new Column("missing", "not counted", 0)));
    CountLatencies latencies = new CountLatencies(System::currentTimeMillis);
    String topic = bench.newLocatedTopic();
    try (RunningJob counting = startCounting(bench, topic);
        LiveJob job = new LiveJob(bench, located(topic), latencies::next)) {
      bench.say("Analytics: searching the maximum sustainable rate with counts");
      double maxRate = job.findMaxSustainableRate();
      bench
          .report()
          .environment(
              "maximum sustainable rate with counts",
              "%,.0f records/s, sustained beside the sender for some seconds".formatted(maxRate));
      for (double share : SHARES) {
        measureLatency(bench, job, latencies, share, share * maxRate, table);
        counting.requireAlive();
        job.awaitAllStored();
      }
    }
    bench.report().add(table);
  }

  private static void measureLatency(
      Bench bench,
      LiveJob job,
      CountLatencies latencies,
      double share,
      double offered,
      ResultTable table)
      throws Exception {
    AnalyticsOptions analytics = bench.config().analytics();
    Duration observed = observed(bench.options());
    try (CountWatch watch =
        new CountWatch(
            bench.config().kafka().clientProperties(),
            analytics.countsTopic(),
            bench.store().database(),
            analytics.collections(NumberKind.COUNTS),
            latencies,
            Instant.now().plus(SETTLING))) {
      LiveJob.Rates rates;
      try (LiveFeed feed = job.feed(offered)) {
        Thread.sleep(SETTLING.toMillis());
        LiveJob.Counting counting = job.new Counting();
        Thread.sleep(observed.toMillis());
        rates = counting.rates();
        bench.say("Analytics at %,.0f records/s: sent %,d".formatted(offered, feed.sent()));
      }
      watch.awaitAllCounted(LATEST);
      row(table, share, rates, "Kafka", watch.kafka());
      row(table, share, rates, "MongoDB", watch.mongo());
      if (share == GOAL_SHARE) {
        boolean keptUp = rates.sent() >= LiveJob.KEEPS_UP * offered;
        bench
            .report()
            .add(
                Goal.atMost(
                        "counts at half the maximum sustainable rate with counts: p95 ms until the topic has them",
                        bench.goals().analytics().p95Millis(),
                        keptUp ? p95(watch.kafka()) : Double.NaN)
                    .orElse("the sender on this machine did not keep up"));
      }
    }
  }

  /** Infinite if more than one in twenty records is not counted. */
  private static double p95(Observer observer) {
    Latencies latencies = observer.latencies();
    return observer.missing() * 20 > latencies.count()
        ? Double.POSITIVE_INFINITY
        : latencies.percentile(95);
  }

  private static Duration observed(BenchOptions options) {
    Duration wanted = Duration.ofSeconds((long) OBSERVED_SECONDS_FACTOR * options.seconds());
    return options.isShort() || wanted.compareTo(MIN_OBSERVED) > 0 ? wanted : MIN_OBSERVED;
  }

  private static void row(
      ResultTable table, double share, LiveJob.Rates rates, String place, Observer observer) {
    Latencies latencies = observer.latencies();
    table.row(
        CpuColumns.behind(
            figure -> figure.applyAsDouble(rates.cpu()),
            share,
            rates.sent(),
            place,
            latencies.count(),
            latencies.percentile(50),
            latencies.percentile(95),
            latencies.percentile(99),
            latencies.percentile(100),
            observer.missing()));
  }
}
