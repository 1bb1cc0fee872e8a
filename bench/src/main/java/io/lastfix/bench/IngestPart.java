package io.lastfix.bench;

import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.Report;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.servers.Loader.Form;
import io.lastfix.model.LocatedRecord;
import io.lastfix.workload.MessageFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the whole job, from Kafka to both collections, in turn with two loaders. One never joins
 * writes and is the floor. The other joins a user's writes as the sink does.
 */
final class IngestPart implements BenchPart {
  private static final int WARM_UP_SHARE = 5;
  private static final List<MessageFormat> FORMATS =
      List.of(MessageFormat.ARCANUM, MessageFormat.JSON);

  private static final String NO_CPU = "the CPU of servers on other machines is not visible";
  private static final String ROCKSDB = ", RocksDB";
  private static final Map<String, String> ON_ROCKSDB =
      Map.of("flink.state.backend.type", "rocksdb");

  /**
   * A round of one workload, on the same records.
   *
   * @param floor the loader that never joins writes
   * @param joining the loader that joins a user's writes
   * @param job the whole job
   */
  private record Trial(Measurement floor, Measurement joining, Measurement job) {
    double ratio() {
      return job.rate() / floor.rate();
    }

    double joiningRatio() {
      return job.rate() / joining.rate();
    }

    double cpuRatio() {
      return job.serversMicros() / floorMicros();
    }

    double floorMicros() {
      return micros(floor);
    }

    double joiningMicros() {
      return micros(joining);
    }

    private static double micros(Measurement loader) {
      return loader.micros(Server.MONGODB) + loader.clientMicros();
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    Ingest ingest = new Ingest(bench);
    Workload uniform = bench.workload();
    bench.say("Ingest: warming up");
    warmUp(bench, ingest, uniform);
    Map<String, List<Trial>> found = new LinkedHashMap<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (double skew : new double[] {0, Workload.ZIPF}) {
        Workload users = uniform.withSkew(skew);
        List<LocatedRecord> records = users.located(bench.cells());
        for (MessageFormat format : FORMATS) {
          Workload workload = users.with(format);
          Trial trial = trial(bench, ingest, workload, records);
          add(bench, found, round, workload.name(), trial);
          if (skew == 0 && !bench.options().isShort()) {
            Measurement onRocksDb = ingest.measure(workload, ON_ROCKSDB);
            String name = workload.name() + ROCKSDB;
            add(bench, found, round, name, new Trial(trial.floor(), trial.joining(), onRocksDb));
          }
        }
      }
      Workload mixed = uniform.mixed();
      Trial trial = trial(bench, ingest, mixed, mixed.located(bench.cells()));
      add(bench, found, round, mixed.name(), trial);
    }
    report(bench, found);
  }

  private static Trial trial(
      Bench bench, Ingest ingest, Workload workload, List<LocatedRecord> records) throws Exception {
    Measurement floor = FloorPart.measure(bench, records, Form.BOTH);
    Measurement job = ingest.measure(workload);
    return new Trial(floor, FloorPart.measure(bench, records, Form.BOTH_JOINED), job);
  }

  private static void add(
      Bench bench, Map<String, List<Trial>> found, int round, String name, Trial trial) {
    found.computeIfAbsent(name, any -> new ArrayList<>()).add(trial);
    bench.say(
        "Ingest, round %d: %s: %,.0f records/s, %.2f of the floor's %,.0f, %.2f of the joining loader's; CPU %.1f µs, %.2f of the floor's"
            .formatted(
                round,
                name,
                trial.job().rate(),
                trial.ratio(),
                trial.floor().rate(),
                trial.joiningRatio(),
                trial.job().serversMicros(),
                trial.cpuRatio()));
  }

  private static void warmUp(Bench bench, Ingest ingest, Workload uniform) throws Exception {
    List<LocatedRecord> records = uniform.located(bench.cells());
    var floor =
        FloorPart.measure(
            bench, records.subList(0, Math.max(1, records.size() / WARM_UP_SHARE)), Form.BOTH);
    bench.say("Ingest, warm-up: floor %,.0f records/s".formatted(floor.rate()));
    // With one warm-up job, the first round was the slower one in each run. There is one for each
    // format, so that neither is new to the servers.
    for (MessageFormat format : FORMATS) {
      var job = ingest.measure(uniform.with(format));
      bench.say("Ingest, warm-up: %s %,.0f records/s".formatted(format, job.rate()));
    }
  }

  private static void report(Bench bench, Map<String, List<Trial>> found) {
    ResultTable table =
        new ResultTable(
            "ingest",
            "Ingest: from Kafka to both collections, compared with two loaders of the same round: the floor never joins writes, the joining loader joins a user's writes as the sink does",
            new Column("workload", "workload", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "min–max", 0),
            new Column("floorRecordsPerSecond", "floor records/s", 0),
            new Column("ratio", "ratio to the floor", 2),
            new Column("flinkMicros", "Flink µs/record", 1),
            new Column("kafkaMicros", "Kafka µs", 1),
            new Column("mongodbMicros", "MongoDB µs", 1),
            new Column("totalMicros", "total µs", 1),
            new Column("floorMicros", "floor µs", 1),
            new Column("cpuRatio", "CPU ratio to the floor", 2),
            new Column("joiningRecordsPerSecond", "joining loader records/s", 0),
            new Column("joiningRatio", "ratio to the joining loader", 2),
            new Column("joiningMicros", "joining loader µs", 1));
    found.forEach(
        (workload, rounds) -> {
          List<Measurement> jobs = rounds.stream().map(Trial::job).toList();
          table.row(
              workload,
              Measurement.medianOf(jobs, Measurement::rate),
              Statistics.spread(jobs.stream().map(Measurement::rate).toList(), 0),
              median(rounds.stream().map(trial -> trial.floor().rate()).toList()),
              median(rounds.stream().map(Trial::ratio).toList()),
              Measurement.medianOf(jobs, it -> it.micros(Server.FLINK)),
              Measurement.medianOf(jobs, it -> it.micros(Server.KAFKA)),
              Measurement.medianOf(jobs, it -> it.micros(Server.MONGODB)),
              Measurement.medianOf(jobs, Measurement::serversMicros),
              median(rounds.stream().map(Trial::floorMicros).toList()),
              median(rounds.stream().map(Trial::cpuRatio).toList()),
              median(rounds.stream().map(trial -> trial.joining().rate()).toList()),
              median(rounds.stream().map(Trial::joiningRatio).toList()),
              median(rounds.stream().map(Trial::joiningMicros).toList()));
        });
    bench.report().add(table);
    List<Trial> uniform = found.values().iterator().next();
    bench.ingestRate(median(uniform.stream().map(trial -> trial.job().rate()).toList()));
    goals(bench.report(), bench.goals().ingest(), found);
  }

  private static void goals(Report report, Goals.Ingest goals, Map<String, List<Trial>> found) {
    found.forEach(
        (workload, rounds) -> {
          if (workload.endsWith(ROCKSDB)) {
            return; // Compared with the row above it.
          }
          double ratio = median(rounds.stream().map(Trial::ratio).toList());
          boolean isZipf = workload.endsWith("zipf");
          boolean isMixed = workload.endsWith("mixed");
          report.add(
              Goal.atLeast(
                  "ingest, %s: rate as a share of the floor's".formatted(workload),
                  isZipf
                      ? goals.zipfRateShare()
                      : isMixed ? goals.mixedRateShare() : goals.uniformRateShare(),
                  ratio));
          if (!isZipf) {
            report.add(
                Goal.atMost(
                        "ingest, %s: CPU a record as a share of the floor's".formatted(workload),
                        goals.uniformCpuShare(),
                        median(rounds.stream().map(Trial::cpuRatio).toList()))
                    .orElse(NO_CPU));
          }
          if (!isZipf && !isMixed) {
            report.add(
                Goal.atMost(
                        "ingest, %s: CPU µs a record, Flink, Kafka and MongoDB together"
                            .formatted(workload),
                        goals.uniformCpuMicros(),
                        median(rounds.stream().map(it -> it.job().serversMicros()).toList()))
                    .orElse(NO_CPU));
          }
        });
  }

  private static double median(List<Double> values) {
    return Statistics.median(values);
  }
}
