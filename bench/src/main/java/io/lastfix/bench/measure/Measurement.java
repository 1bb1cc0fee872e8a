package io.lastfix.bench.measure;

import io.lastfix.bench.measure.ProcessCpu.Server;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One measurement.
 *
 * @param records that were stored or otherwise processed
 * @param seconds duration
 * @param cpu used meanwhile
 */
public record Measurement(long records, double seconds, ProcessCpu.Reading cpu) {
  private static final double MICROS_PER_SECOND = 1e6;

  /** Records a second. */
  public double rate() {
    return records / seconds;
  }

  /** CPU microseconds of one server per record; NaN if it is not on this machine. */
  public double micros(Server server) {
    return perRecord(cpu.of(server));
  }

  /** CPU microseconds of this process per record. */
  public double clientMicros() {
    return perRecord(cpu.client());
  }

  /** CPU microseconds of all servers per record. */
  public double serversMicros() {
    return perRecord(cpu.ofServers());
  }

  private double perRecord(double seconds) {
    return seconds * MICROS_PER_SECOND / records;
  }

  /** The median of a figure over several rounds. */
  public static double medianOf(List<Measurement> rounds, ToDoubleFunction<Measurement> figure) {
    return Statistics.median(rounds.stream().map(figure::applyAsDouble).toList());
  }
}
