package io.lastfix.bench;

import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.stage.StageJob.Stage;
import io.lastfix.workload.MessageFormat;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures where the job's time goes: the job cut off after each stage, without a database. */
final class StagesPart implements BenchPart {
  private static final String ROCKSDB_WORDS = "shuffle by cell and join, on RocksDB";
  private static final Map<String, String> ON_ROCKSDB =
      Map.of("flink.state.backend.type", "rocksdb");
  private static final List<MessageFormat> FORMATS =
      List.of(MessageFormat.ARCANUM, MessageFormat.JSON);

  @Override
  public void run(Bench bench) throws Exception {
    StageRun runs = new StageRun(bench);
    Map<MessageFormat, List<Map<Stage, Measurement>>> found = new LinkedHashMap<>();
    Map<MessageFormat, List<Measurement>> onRocksDb = new LinkedHashMap<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (MessageFormat format : FORMATS) {
        Map<Stage, Measurement> byStage = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
          Measurement measured = runs.measure(bench.workload().with(format), stage, Map.of());
          byStage.put(stage, measured);
          say(bench, round, format, words(stage), measured);
        }
        if (!bench.options().isShort()) {
          Measurement measured =
              runs.measure(bench.workload().with(format), Stage.LOCATE, ON_ROCKSDB);
          onRocksDb.computeIfAbsent(format, any -> new ArrayList<>()).add(measured);
          say(bench, round, format, ROCKSDB_WORDS, measured);
        }
        found.computeIfAbsent(format, any -> new ArrayList<>()).add(byStage);
      }
    }
    bench.report().add(table(bench.options().parallelism(), found, onRocksDb));
  }

  private static void say(
      Bench bench, int round, MessageFormat format, String words, Measurement measured) {
    bench.say(
        "Stages, round %d: %s, %s: %,.0f records/s, Flink %.2f µs/record"
            .formatted(
                round, format.profile(), words, measured.rate(), measured.micros(Server.FLINK)));
  }

  /**
   * One row for each format and stage, and one for each format's join on RocksDB.
   *
   * @param onRocksDb up to and including the join, of the same rounds; empty if it was not measured
   */
  static ResultTable table(
      int parallelism,
      Map<MessageFormat, List<Map<Stage, Measurement>>> roundsByFormat,
      Map<MessageFormat, List<Measurement>> onRocksDb) {
    ResultTable table =
        new ResultTable(
            "stages",
            "Stages: the job cut off after each stage, without a database (parallelism %d)"
                .formatted(parallelism),
            new Column("format", "format", 0),
            new Column("stage", "up to and including", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "min–max", 0),
            new Column("flinkMicros", "Flink µs/record", 2),
            new Column("flinkSpread", "min–max", 0),
            new Column("ownMicros", "this stage alone, µs/record", 2),
            new Column("kafkaMicros", "Kafka µs/record", 2));
    roundsByFormat.forEach(
        (format, rounds) -> {
          @Nullable Stage before = null;
          for (Stage stage : Stage.values()) {
            @Nullable Stage previous = before;
            row(
                table,
                format,
                words(stage),
                rounds.stream().map(round -> round.get(stage)).toList(),
                rounds.stream().map(round -> ownMicros(round, stage, previous)).toList());
            before = stage;
          }
          List<Measurement> joins = onRocksDb.getOrDefault(format, List.of());
          if (!joins.isEmpty()) {
            List<Double> own = new ArrayList<>();
            for (int round = 0; round < joins.size(); round++) {
              own.add(
                  joins.get(round).micros(Server.FLINK)
                      - rounds.get(round).get(Stage.PARSE).micros(Server.FLINK));
            }
            row(table, format, ROCKSDB_WORDS, joins, own);
          }
        });
    return table;
  }

  private static void row(
      ResultTable table,
      MessageFormat format,
      String words,
      List<Measurement> measured,
      List<Double> ownMicros) {
    table.row(
        format.profile(),
        words,
        Measurement.medianOf(measured, Measurement::rate),
        Statistics.spread(measured.stream().map(Measurement::rate).toList(), 0),
        Measurement.medianOf(measured, it -> it.micros(Server.FLINK)),
        Statistics.spread(measured.stream().map(it -> it.micros(Server.FLINK)).toList(), 2),
        Statistics.median(ownMicros),
        Measurement.medianOf(measured, it -> it.micros(Server.KAFKA)));
  }

  /**
   * The time that a stage adds to the one before it, in one round; the first stage's whole time.
   */
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
