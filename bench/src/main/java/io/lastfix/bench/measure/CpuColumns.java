package io.lastfix.bench.measure;

import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Columns with the CPU that each process used beside a rate, in CPU seconds a second. They follow a
 * table's other columns. A cell is empty if the server does not run on this machine.
 */
public final class CpuColumns {
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
  public interface OfRounds {
    double median(ToDoubleFunction<Reading> figure);
  }

  /** Returns these columns, and those of CPU behind them. */
  public static Column[] behind(Column... columns) {
    List<Column> all = new ArrayList<>(Arrays.asList(columns));
    all.addAll(COLUMNS);
    return all.toArray(Column[]::new);
  }

  /** Returns these cells of a row, and those of CPU behind them. */
  public static Object[] behind(OfRounds rounds, Object... cells) {
    List<Object> all = new ArrayList<>(Arrays.asList(cells));
    FIGURES.forEach(figure -> all.add(rounds.median(figure)));
    return all.toArray();
  }
}
