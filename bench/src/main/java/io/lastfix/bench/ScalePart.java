package io.lastfix.bench;

import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.stage.StageJob.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rate by parallelism, without the database. */
final class ScalePart implements BenchPart {
  private static final List<Integer> PARALLELISMS = List.of(1, 2, 4);

  @Override
  public void run(Bench bench) throws Exception {
    int slots = bench.flink().slots().total();
    StageRun runs = new StageRun(bench);
    List<Map<Integer, Measurement>> rounds = new ArrayList<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      Map<Integer, Measurement> byParallelism = new TreeMap<>();
      for (int parallelism : PARALLELISMS) {
        if (parallelism > slots) {
          bench.say(
              "Scale: parallelism %d is skipped: the cluster has %d slots"
                  .formatted(parallelism, slots));
          continue;
        }
        Measurement measured =
            runs.measure(
                bench.workload(),
                Stage.SINKS,
                Map.of("job.parallelism", Integer.toString(parallelism)));
        byParallelism.put(parallelism, measured);
        bench.say(
            "Scale, round %d: parallelism %d: %,.0f records/s"
                .formatted(round, parallelism, measured.rate()));
      }
      rounds.add(byParallelism);
    }
    bench.report().add(table(Runtime.getRuntime().availableProcessors(), rounds));
  }

  /**
   * One row a parallelism.
   *
   * @param rounds each with the same parallelisms, among them 1
   */
  static ResultTable table(int cores, List<Map<Integer, Measurement>> rounds) {
    ResultTable table =
        new ResultTable(
            "scale",
            "Scale: the whole job with discarding sinks, on %d cores, all servers on the same machine"
                .formatted(cores),
            new Column("parallelism", "parallelism", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "min–max", 0),
            new Column("efficiency", "efficiency", 2),
            new Column("flinkMicros", "Flink µs/record", 2),
            new Column("kafkaMicros", "Kafka µs/record", 2));
    for (int parallelism : rounds.get(0).keySet()) {
      List<Measurement> measured = rounds.stream().map(round -> round.get(parallelism)).toList();
      table.row(
          parallelism,
          Measurement.medianOf(measured, Measurement::rate),
          Statistics.spread(measured.stream().map(Measurement::rate).toList(), 0),
          Statistics.median(rounds.stream().map(round -> efficiency(round, parallelism)).toList()),
          Measurement.medianOf(measured, it -> it.micros(Server.FLINK)),
          Measurement.medianOf(measured, it -> it.micros(Server.KAFKA)));
    }
    return table;
  }

  /** 1 if N subtasks are N times as fast as one. */
  private static double efficiency(Map<Integer, Measurement> round, int parallelism) {
    return round.get(parallelism).rate() / (parallelism * round.get(1).rate());
  }
}
