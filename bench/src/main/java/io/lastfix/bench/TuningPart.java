package io.lastfix.bench;

import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The whole job with one setting changed, compared with the configured job, in turn. */
final class TuningPart implements BenchPart {
  /** There are many settings, so each uses only one in N records. */
  private static final int SHARE = 4;

  /**
   * One setting to try.
   *
   * @param words for the table
   * @param keys the changed keys; none: the configured job
   */
  private record Setting(String words, Map<String, String> keys) {
    static final Setting AS_CONFIGURED = new Setting("as configured", Map.of());

    static Setting of(String key, String value) {
      return new Setting(key + ": " + value, Map.of(key, value));
    }
  }

  /** Settings that may increase the rate. */
  private static final List<Setting> SETTINGS =
      List.of(
          Setting.of("last-known-location.max-bulks-in-flight", "2"),
          Setting.of("last-known-location.max-bulks-in-flight", "4"),
          Setting.of("sink.max-bulks-in-flight", "1"),
          Setting.of("sink.max-bulks-in-flight", "8"),
          Setting.of("sink.max-records-per-bulk", "250"),
          Setting.of("sink.max-records-per-bulk", "4000"),
          Setting.of("sink.max-buffered-records", "10000"),
          Setting.of("sink.max-buffered-records", "30000"),
          Setting.of("sink.max-buffered-records", "40000"),
          Setting.of("mongo.write-concern", "1"),
          Setting.of("kafka.properties.max.poll.records", "5000"),
          Setting.of("flink.execution.checkpointing.interval", "1 min"),
          Setting.of("job.parallelism", "1"),
          // The first setting again, which shows how far two equal measurements differ.
          new Setting("as configured, again", Map.of()));

  /** A measurement, and that of the configured job in the same round. */
  private record Trial(Measurement measured, Measurement asConfigured) {
    double ratio() {
      return measured.rate() / asConfigured.rate();
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    Ingest ingest = new Ingest(bench);
    Workload uniform = bench.workload().with(Math.max(1, bench.options().records() / SHARE));
    bench.say("Tuning: warming up");
    Measurement warmUp = ingest.measure(uniform);
    bench.say("Tuning, warm-up: %,.0f records/s".formatted(warmUp.rate()));
    List<Exception> failures = new ArrayList<>();
    for (Workload workload : List.of(uniform, uniform.withSkew(Workload.ZIPF))) {
      Map<Setting, List<Trial>> found = new LinkedHashMap<>();
      for (int round = 1; round <= bench.options().rounds(); round++) {
        Measurement asConfigured = ingest.measure(workload);
        trials(found, Setting.AS_CONFIGURED).add(new Trial(asConfigured, asConfigured));
        for (Setting setting : BenchPart.inTurn(SETTINGS, round)) {
          List<Trial> trials = trials(found, setting);
          try {
            Trial trial = new Trial(ingest.measure(workload, setting.keys()), asConfigured);
            trials.add(trial);
            say(bench, round, workload, setting, trial);
          } catch (IOException e) {
            // The other settings' results are still useful.
            bench.say("Tuning: %s has failed: %s".formatted(setting.words(), e.getMessage()));
            failures.add(new IOException(setting.words() + ": " + e.getMessage(), e));
            bench.requireQuiet();
          }
        }
      }
      report(bench, workload, found);
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  private static void say(Bench bench, int round, Workload workload, Setting setting, Trial trial) {
    bench.say(
        "Tuning, round %d: %s, %s: %,.0f records/s, %.2f of %,.0f"
            .formatted(
                round,
                workload.name(),
                setting.words(),
                trial.measured().rate(),
                trial.ratio(),
                trial.asConfigured().rate()));
  }

  private static List<Trial> trials(Map<Setting, List<Trial>> found, Setting setting) {
    return found.computeIfAbsent(setting, any -> new ArrayList<>());
  }

  private static void report(Bench bench, Workload workload, Map<Setting, List<Trial>> found) {
    ResultTable table =
        new ResultTable(
            "tuning-" + workload.kind(),
            "Tuning, %s users: ingest with one setting changed, compared with the configured job in the same round"
                .formatted(workload.kind()),
            new Column("setting", "setting", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("ratio", "ratio to the configured job", 2),
            new Column("spread", "min–max", 2),
            new Column("flinkMicros", "Flink µs/record", 1),
            new Column("mongodbMicros", "MongoDB µs", 1),
            new Column("totalMicros", "total µs", 1));
    found.forEach((setting, trials) -> row(table, setting, trials));
    bench.report().add(table);
  }

  private static void row(ResultTable table, Setting setting, List<Trial> trials) {
    List<Measurement> measured = trials.stream().map(Trial::measured).toList();
    List<Double> ratios = trials.stream().map(Trial::ratio).toList();
    table.row(
        setting.words(),
        Measurement.medianOf(measured, Measurement::rate),
        Statistics.median(ratios),
        Statistics.spread(ratios, 2),
        Measurement.medianOf(measured, it -> it.micros(Server.FLINK)),
        Measurement.medianOf(measured, it -> it.micros(Server.MONGODB)),
        Measurement.medianOf(measured, Measurement::serversMicros));
  }
}
