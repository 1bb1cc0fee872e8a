package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.servers.Loader.Form;
import io.lastfix.cluster.flink.BoundedJob;
import io.lastfix.jobs.AnalyzeJob;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.NumberKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Computes numbers from History while nothing else runs. */
final class AnalyzeRun {
  private static final Duration SLOT_LIMIT = Duration.ofMinutes(1);

  /** Documents of a millisecond, by their timestamps. The goal is of the first. */
  private static final List<Integer> DENSITIES = List.of(AnalyticsPart.PER_MILLI, 1);

  private static final List<NumberKind> COUNTS = List.of(NumberKind.COUNTS);
  private static final List<NumberKind> ALL = List.of(NumberKind.values());

  private final Bench bench;

  AnalyzeRun(Bench bench) {
    this.bench = bench;
  }

  /**
   * One job.
   *
   * @param measurement its documents, its own time, and the CPU
   * @param numbers that it stored
   */
  private record Analysis(Measurement measurement, long numbers) {}

  void measure() throws Exception {
    ResultTable table =
        new ResultTable(
            "analyze",
            "Analytics: numbers computed from History, nothing else runs; the job's own time",
            new Column("what", "numbers", 0),
            new Column("density", "documents a second, by their timestamps", 0),
            new Column("documents", "documents", 0),
            new Column("numbers", "stored numbers", 0),
            new Column("seconds", "s", 1),
            new Column("documentsPerSecond", "documents/s", 0),
            new Column("spread", "min–max", 0),
            new Column("flinkMicros", "Flink µs/document", 2),
            new Column("mongodbMicros", "MongoDB µs", 2));
    for (int perMilli : DENSITIES) {
      fill(perMilli);
      for (List<NumberKind> kinds : List.of(COUNTS, ALL)) {
        List<Analysis> found = new ArrayList<>();
        for (int round = 1; round <= bench.options().rounds(); round++) {
          found.add(analyze(kinds));
          bench.say(
              "Analytics, round %d: %s of %,d documents a second: %,.0f documents/s"
                  .formatted(
                      round,
                      name(kinds),
                      1_000 * perMilli,
                      found.get(round - 1).measurement().rate()));
        }
        List<Measurement> measured = found.stream().map(Analysis::measurement).toList();
        double rate = Measurement.medianOf(measured, Measurement::rate);
        table.row(
            name(kinds),
            1_000 * perMilli,
            measured.get(0).records(),
            found.get(0).numbers(),
            Measurement.medianOf(measured, Measurement::seconds),
            rate,
            Statistics.spread(measured.stream().map(Measurement::rate).toList(), 0),
            Measurement.medianOf(measured, it -> it.micros(Server.FLINK)),
            Measurement.medianOf(measured, it -> it.micros(Server.MONGODB)));
        if (kinds.equals(COUNTS) && perMilli == DENSITIES.get(0)) {
          bench
              .report()
              .add(
                  Goal.atLeast(
                      "analyze counts, %,d documents a second by their timestamps: documents/s"
                          .formatted(1_000 * perMilli),
                      bench.goals().analytics().documentsPerSecond(),
                      rate));
        }
      }
    }
    bench.report().add(table);
    bench.store().drop();
  }

  private static String name(List<NumberKind> kinds) {
    return kinds.equals(ALL) ? "all" : texts(kinds);
  }

  private static String texts(List<NumberKind> kinds) {
    return kinds.stream().map(NumberKind::text).collect(Collectors.joining(","));
  }

  private void fill(int perMilli) throws Exception {
    List<LocatedRecord> records =
        bench.workload().with(bench.options().documents()).dense(perMilli).located(bench.cells());
    Measurement filled = FloorPart.measure(bench, records, Form.HISTORY);
    bench.say(
        "Stored %,d documents, %,d a second by their timestamps, in %.0f s"
            .formatted(filled.records(), 1_000 * perMilli, filled.seconds()));
  }

  private Analysis analyze(List<NumberKind> kinds) throws IOException, InterruptedException {
    dropNumbers();
    ProcessCpu.Reading before = bench.cpu().read();
    try (RunningJob job = bench.submitAnalyze(List.of("--numbers", texts(kinds)))) {
      Map<String, String> counted =
          new BoundedJob(bench.flink(), job.id()).await(SLOT_LIMIT, soFar -> {});
      ProcessCpu.Reading cpu = bench.cpu().read().since(before);
      long documents = Long.parseLong(counted.getOrDefault(AnalyzeJob.DOCUMENTS, "0"));
      if (documents != bench.store().historyCount()) {
        throw new IOException(
            "the job has read %,d documents of %,d"
                .formatted(documents, bench.store().historyCount()));
      }
      return new Analysis(
          new Measurement(documents, bench.flink().duration(job.id()).toMillis() / 1_000.0, cpu),
          numberCollections().stream().mapToLong(bench.store()::count).sum());
    }
  }

  /** A number that is stored already is cheaper to store. */
  private void dropNumbers() {
    numberCollections().forEach(name -> bench.store().database().getCollection(name).drop());
  }

  private List<String> numberCollections() {
    List<String> prefixes =
        Arrays.stream(NumberKind.values())
            .map(kind -> bench.config().analytics().collections(kind).collectionPrefix() + "_")
            .toList();
    List<String> names = new ArrayList<>();
    for (String name : bench.store().database().listCollectionNames()) {
      if (prefixes.stream().anyMatch(name::startsWith)) {
        names.add(name);
      }
    }
    return names;
  }
}
