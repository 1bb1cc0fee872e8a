package io.lastfix.cli.bench;

import io.lastfix.cli.bench.Loader.Form;
import io.lastfix.cli.bench.ProcessCpu.Server;
import io.lastfix.cli.bench.ResultTable.Column;
import io.lastfix.cli.push.MessageFormat;
import io.lastfix.model.LocatedRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The whole job, from Kafka to both collections, and the loader beside it, in turn. */
final class IngestPart implements BenchPart {
  private static final int WARM_UP_SHARE = 5;
  private static final double UNIFORM_RATIO = 0.85;
  private static final double UNIFORM_CPU_RATIO = 1.35;
  private static final double ZIPF_RATIO = 1.2;
  private static final List<MessageFormat> FORMATS =
      List.of(MessageFormat.ARCANUM, MessageFormat.JSON);

  /** A round of one workload: the loader, and the job on the same records. */
  private record Pair(Measurement floor, Measurement job) {
    double ratio() {
      return job.rate() / floor.rate();
    }

    double cpuRatio() {
      return job.serversMicros() / floorMicros();
    }

    double floorMicros() {
      return floor.micros(Server.MONGODB) + floor.clientMicros();
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    Ingest ingest = new Ingest(bench);
    Workload uniform = bench.workload();
    bench.say("Ingest: warming up");
    warmUp(bench, ingest, uniform);
    Map<String, List<Pair>> found = new LinkedHashMap<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (double skew : new double[] {0, Workload.ZIPF}) {
        Workload users = uniform.withSkew(skew);
        List<LocatedRecord> records = users.located(bench.cells());
        for (MessageFormat format : FORMATS) {
          Workload workload = users.with(format);
          Measurement floor = FloorPart.measure(bench, records, Form.BOTH);
          Measurement job = ingest.measure(workload);
          Pair pair = new Pair(floor, job);
          found.computeIfAbsent(workload.name(), any -> new ArrayList<>()).add(pair);
          bench.say(
              "Ingest, round %d: %s: %,.0f records/s, %.2f of the floor's %,.0f; CPU %.2f of its"
                  .formatted(
                      round,
                      workload.name(),
                      job.rate(),
                      pair.ratio(),
                      floor.rate(),
                      pair.cpuRatio()));
        }
      }
    }
    report(bench, found);
  }

  private static void warmUp(Bench bench, Ingest ingest, Workload uniform) throws Exception {
    List<LocatedRecord> records = uniform.located(bench.cells());
    var floor =
        FloorPart.measure(
            bench, records.subList(0, Math.max(1, records.size() / WARM_UP_SHARE)), Form.BOTH);
    bench.say("Ingest, warm-up: floor %,.0f records/s".formatted(floor.rate()));
    // One job was too few: the first round was the slower one in each run. One of each format, so
    // that neither is new to the servers.
    for (MessageFormat format : FORMATS) {
      var job = ingest.measure(uniform.with(format));
      bench.say("Ingest, warm-up: %s %,.0f records/s".formatted(format, job.rate()));
    }
  }

  private static void report(Bench bench, Map<String, List<Pair>> found) {
    ResultTable table =
        new ResultTable(
            "ingest",
            "Ingest: from Kafka to both collections, beside the floor of the same round",
            new Column("workload", "workload", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "least–most", 0),
            new Column("floorRecordsPerSecond", "floor records/s", 0),
            new Column("ratio", "ratio", 2),
            new Column("flinkMicros", "Flink µs/record", 1),
            new Column("kafkaMicros", "Kafka µs", 1),
            new Column("mongodbMicros", "MongoDB µs", 1),
            new Column("totalMicros", "total µs", 1),
            new Column("floorMicros", "floor µs", 1),
            new Column("cpuRatio", "CPU ratio", 2));
    found.forEach(
        (workload, rounds) -> {
          List<Measurement> jobs = rounds.stream().map(Pair::job).toList();
          table.row(
              workload,
              Measurement.medianOf(jobs, Measurement::rate),
              Statistics.spread(jobs.stream().map(Measurement::rate).toList(), 0),
              median(rounds.stream().map(pair -> pair.floor().rate()).toList()),
              median(rounds.stream().map(Pair::ratio).toList()),
              Measurement.medianOf(jobs, it -> it.micros(Server.FLINK)),
              Measurement.medianOf(jobs, it -> it.micros(Server.KAFKA)),
              Measurement.medianOf(jobs, it -> it.micros(Server.MONGODB)),
              Measurement.medianOf(jobs, Measurement::serversMicros),
              median(rounds.stream().map(Pair::floorMicros).toList()),
              median(rounds.stream().map(Pair::cpuRatio).toList()));
        });
    bench.report().add(table);
    List<Pair> uniform = found.values().iterator().next();
    bench.ingestRate(median(uniform.stream().map(pair -> pair.job().rate()).toList()));
    goals(bench.report(), found);
  }

  private static void goals(Report report, Map<String, List<Pair>> found) {
    found.forEach(
        (workload, rounds) -> {
          double ratio = median(rounds.stream().map(Pair::ratio).toList());
          boolean isZipf = workload.endsWith("zipf");
          report.add(
              Goal.atLeast(
                  "ingest, %s: rate as a share of the floor's".formatted(workload),
                  isZipf ? ZIPF_RATIO : UNIFORM_RATIO,
                  ratio));
          if (!isZipf) {
            report.add(
                Goal.atMost(
                        "ingest, %s: CPU of a record as a share of the floor's".formatted(workload),
                        UNIFORM_CPU_RATIO,
                        median(rounds.stream().map(Pair::cpuRatio).toList()))
                    .orElse("the CPU of servers on other machines is not seen"));
          }
        });
  }

  private static double median(List<Double> values) {
    return Statistics.median(values);
  }
}
