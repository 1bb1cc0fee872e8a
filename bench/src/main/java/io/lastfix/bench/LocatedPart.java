package io.lastfix.bench;

import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.workload.MessageFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The whole job without and with the topic of located records, in turn: what publishing costs. The
 * users are uniformly distributed.
 */
final class LocatedPart implements BenchPart {
  private static final List<MessageFormat> FORMATS =
      List.of(MessageFormat.ARCANUM, MessageFormat.JSON);

  private static final String NO_CPU = "the CPU of servers on other machines is not visible";

  private static final Map<String, String> WITHOUT_TOPIC = Map.of();
  private static final Map<String, String> WITH_TOPIC =
      Map.of("located.topic", Bench.LOCATED_TOPIC);

  /** A round of one format, on the same records. */
  private record Trial(Measurement without, Measurement with) {
    double ratio(ToDoubleFunction<Measurement> figure) {
      return figure.applyAsDouble(with) / figure.applyAsDouble(without);
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    if (bench.config().locatedTopic() != null) {
      throw new IllegalStateException(
          "the configuration names a topic of located records, so the job cannot be measured"
              + " without one: remove located.topic for this part");
    }
    Ingest ingest = new Ingest(bench);
    bench.topics().create(Bench.LOCATED_TOPIC);
    bench.say("Located: warming up");
    for (MessageFormat format : FORMATS) {
      Measurement warmUp = ingest.measure(bench.workload().with(format), WITH_TOPIC);
      bench.say("Located, warm-up: %s %,.0f records/s".formatted(format, warmUp.rate()));
    }
    Map<String, List<Trial>> found = new LinkedHashMap<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (MessageFormat format : FORMATS) {
        Workload workload = bench.workload().with(format);
        Map<Map<String, String>, Measurement> byKeys = new HashMap<>();
        for (Map<String, String> keys :
            BenchPart.inTurn(List.of(WITHOUT_TOPIC, WITH_TOPIC), round)) {
          byKeys.put(keys, ingest.measure(workload, keys));
        }
        Trial trial = new Trial(byKeys.get(WITHOUT_TOPIC), byKeys.get(WITH_TOPIC));
        found.computeIfAbsent(workload.name(), any -> new ArrayList<>()).add(trial);
        bench.say(
            "Located, round %d: %s: %,.0f records/s, %.2f of the rate without the topic; Flink's CPU %.1f µs, %.2f of that without"
                .formatted(
                    round,
                    workload.name(),
                    trial.with().rate(),
                    trial.ratio(Measurement::rate),
                    flinkMicros(trial.with()),
                    trial.ratio(LocatedPart::flinkMicros)));
      }
    }
    report(bench, found);
  }

  private static double flinkMicros(Measurement measurement) {
    return measurement.micros(Server.FLINK);
  }

  private static void report(Bench bench, Map<String, List<Trial>> found) {
    ResultTable table =
        new ResultTable(
            "located",
            "Located: the whole job with the topic of located records, compared with the job without it of the same round",
            new Column("workload", "workload", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("ratio", "ratio to the rate without", 2),
            new Column("spread", "min–max", 2),
            new Column("flinkMicros", "Flink µs/record", 1),
            new Column("flinkMicrosWithout", "Flink µs without", 1),
            new Column("flinkRatio", "ratio of Flink's CPU", 2),
            new Column("flinkSpread", "min–max", 2),
            new Column("kafkaMicros", "Kafka µs", 1),
            new Column("kafkaMicrosWithout", "Kafka µs without", 1));
    found.forEach(
        (workload, trials) -> {
          List<Measurement> with = trials.stream().map(Trial::with).toList();
          List<Measurement> without = trials.stream().map(Trial::without).toList();
          List<Double> rates = ratios(trials, Measurement::rate);
          List<Double> cpu = ratios(trials, LocatedPart::flinkMicros);
          table.row(
              workload,
              Measurement.medianOf(with, Measurement::rate),
              Statistics.median(rates),
              Statistics.spread(rates, 2),
              Measurement.medianOf(with, LocatedPart::flinkMicros),
              Measurement.medianOf(without, LocatedPart::flinkMicros),
              Statistics.median(cpu),
              Statistics.spread(cpu, 2),
              Measurement.medianOf(with, it -> it.micros(Server.KAFKA)),
              Measurement.medianOf(without, it -> it.micros(Server.KAFKA)));
          bench
              .report()
              .add(
                  Goal.atMost(
                          "located, %s: Flink's CPU a record as a ratio to that without the topic"
                              .formatted(workload),
                          bench.goals().located().flinkCpuRatio(),
                          Statistics.median(cpu))
                      .orElse(NO_CPU));
        });
    bench.report().add(table);
  }

  private static List<Double> ratios(List<Trial> trials, ToDoubleFunction<Measurement> figure) {
    return trials.stream().map(trial -> trial.ratio(figure)).toList();
  }
}
