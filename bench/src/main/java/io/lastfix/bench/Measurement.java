package io.lastfix.bench;

import io.lastfix.bench.ProcessCpu.Server;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One measurement.
 *
 * @param records that were stored, or otherwise done with
 * @param seconds it took
 * @param cpu that was used meanwhile
 */
record Measurement(long records, double seconds, ProcessCpu.Reading cpu) {
  private static final double MICROS_PER_SECOND = 1e6;

  /** Records a second. */
  double rate() {
    return records / seconds;
  }

  /** CPU microseconds of one server for each record; NaN where it is not on this machine. */
  double micros(Server server) {
    return perRecord(cpu.of(server));
  }

  /** The same of this process. */
  double clientMicros() {
    return perRecord(cpu.client());
  }

  /** The same of all servers together. */
  double serversMicros() {
    return perRecord(cpu.ofServers());
  }

  private double perRecord(double seconds) {
    return seconds * MICROS_PER_SECOND / records;
  }

  static double medianOf(List<Measurement> rounds, ToDoubleFunction<Measurement> figure) {
    return Statistics.median(rounds.stream().map(figure::applyAsDouble).toList());
  }
}
