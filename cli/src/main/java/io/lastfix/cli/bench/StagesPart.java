package io.lastfix.cli.bench;

import io.lastfix.cli.bench.ProcessCpu.Server;
import io.lastfix.cli.bench.ResultTable.Column;
import io.lastfix.cli.push.MessageFormat;
import io.lastfix.jobs.StageJob.Stage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the job's time goes: the job cut off after each of its stages, with no database. */
final class StagesPart implements BenchPart {
  private static final List<MessageFormat> FORMATS =
      List.of(MessageFormat.ARCANUM, MessageFormat.JSON);

  @Override
  public void run(Bench bench) throws Exception {
    StageRun runs = new StageRun(bench);
    Map<MessageFormat, List<Map<Stage, Measurement>>> found = new LinkedHashMap<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (MessageFormat format : FORMATS) {
        Map<Stage, Measurement> byStage = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
          Measurement measured = runs.measure(bench.workload().with(format), stage, Map.of());
          byStage.put(stage, measured);
          bench.say(
              "Stages, round %d: %s, %s: %,.0f records/s, Flink %.2f µs/record"
                  .formatted(
                      round,
                      format.profile(),
                      words(stage),
                      measured.rate(),
                      measured.micros(Server.FLINK)));
        }
        found.computeIfAbsent(format, any -> new ArrayList<>()).add(byStage);
      }
    }
    bench.report().add(table(bench.options().parallelism(), found));
  }

  /** One row for each format and stage. */
  static ResultTable table(
      int parallelism, Map<MessageFormat, List<Map<Stage, Measurement>>> roundsByFormat) {
    ResultTable table =
        new ResultTable(
            "stages",
            "Stages: the job cut off after each, with no database (parallelism %d)"
                .formatted(parallelism),
            new Column("format", "format", 0),
            new Column("stage", "up to and with", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "least–most", 0),
            new Column("flinkMicros", "Flink µs/record", 2),
            new Column("flinkSpread", "least–most", 0),
            new Column("ownMicros", "this stage's own", 2),
            new Column("kafkaMicros", "Kafka µs/record", 2));
    roundsByFormat.forEach(
        (format, rounds) -> {
          @Nullable Stage before = null;
          for (Stage stage : Stage.values()) {
            @Nullable Stage previous = before;
            List<Measurement> measured = rounds.stream().map(round -> round.get(stage)).toList();
            table.row(
                format.profile(),
                words(stage),
                Measurement.medianOf(measured, Measurement::rate),
                Statistics.spread(measured.stream().map(Measurement::rate).toList(), 0),
                Measurement.medianOf(measured, it -> it.micros(Server.FLINK)),
                Statistics.spread(measured.stream().map(it -> it.micros(Server.FLINK)).toList(), 2),
                Statistics.median(
                    rounds.stream().map(round -> ownMicros(round, stage, previous)).toList()),
                Measurement.medianOf(measured, it -> it.micros(Server.KAFKA)));
            before = stage;
          }
        });
    return table;
  }

  /** What a stage adds to the one before it, in one round; the first is all its own. */
  private static double ownMicros(
      Map<Stage, Measurement> round, Stage stage, @Nullable Stage before) {
    double all = round.get(stage).micros(Server.FLINK);
    return before == null ? all : all - round.get(before).micros(Server.FLINK);
  }

  private static String words(Stage stage) {
    return switch (stage) {
      case PARSE -> "read and parse";
      case LOCATE -> "shuffle by cell and join";
      case SHUFFLE -> "shuffle by user";
      case SINKS -> "both sinks, discarding";
    };
  }
}
