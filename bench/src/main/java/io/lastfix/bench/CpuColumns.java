package io.lastfix.bench;

import io.lastfix.bench.ProcessCpu.Reading;
import io.lastfix.bench.ProcessCpu.Server;
import io.lastfix.bench.ResultTable.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Columns with the CPU that each process used beside a rate, in CPU seconds a second. They follow a
 * table's other columns. A cell is empty if the server does not run on this machine.
 */
final class CpuColumns {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("flinkCpu", "Flink CPU s/s", 2),
          new Column("kafkaCpu", "Kafka CPU s/s", 2),
          new Column("mongodbCpu", "MongoDB CPU s/s", 2),
          new Column("clientCpu", "bench CPU s/s", 2));

  /** In the columns' order. */
  private static final List<ToDoubleFunction<Reading>> FIGURES =
      List.of(
          cpu -> cpu.of(Server.FLINK),
          cpu -> cpu.of(Server.KAFKA),
          cpu -> cpu.of(Server.MONGODB),
          Reading::client);

  private CpuColumns() {}

  /** Combines the figures of several rounds into one. */
  @FunctionalInterface
  interface OfRounds {
    double median(ToDoubleFunction<Reading> figure);
  }

  static Column[] behind(Column... columns) {
    List<Column> all = new ArrayList<>(Arrays.asList(columns));
    all.addAll(COLUMNS);
    return all.toArray(Column[]::new);
  }

  static Object[] behind(OfRounds rounds, Object... cells) {
    List<Object> all = new ArrayList<>(Arrays.asList(cells));
    FIGURES.forEach(figure -> all.add(rounds.median(figure)));
    return all.toArray();
  }
}
