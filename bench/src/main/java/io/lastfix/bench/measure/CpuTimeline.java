package io.lastfix.bench.measure;

import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.ProcessCpu.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A series of CPU readings, to interpolate the CPU used at an instant between two of them. */
public final class CpuTimeline {
  private final List<Sample> samples = new ArrayList<>();

  private record Sample(long epochMillis, Reading cpu) {}

  /**
   * Adds a reading.
   *
   * @param epochMillis its timestamp. A reading not later than the last one is ignored, as after
   *     the clock was adjusted backwards.
   */
  public void add(long epochMillis, Reading cpu) {
    if (samples.isEmpty() || epochMillis > last().epochMillis()) {
      samples.add(new Sample(epochMillis, cpu));
    }
  }

  private Sample last() {
    return samples.get(samples.size() - 1);
  }

  /**
   * The CPU used between two instants; empty if no server runs on this machine, because servers
   * elsewhere may have other clocks.
   *
   * @throws IllegalArgumentException if an instant is not between the first reading and the last
   */
  Reading used(double beginMillis, double endMillis) {
    boolean knowsServers = samples.stream().anyMatch(sample -> !sample.cpu().byServer().isEmpty());
    return knowsServers ? at(endMillis).since(at(beginMillis)) : new Reading(Map.of(), Double.NaN);
  }

  /**
   * The CPU used up to an instant, interpolated linearly between the readings around it.
   *
   * @throws IllegalArgumentException if the instant is not between the first reading and the last
   */
  private Reading at(double epochMillis) {
    if (samples.isEmpty()
        || epochMillis < samples.get(0).epochMillis()
        || epochMillis > last().epochMillis()) {
      throw new IllegalArgumentException(
          "expected an instant while CPU time was read (%s), found %.0f"
              .formatted(
                  samples.isEmpty()
                      ? "never"
                      : samples.get(0).epochMillis() + " to " + last().epochMillis(),
                  epochMillis));
    }
    int next = 0;
    while (samples.get(next).epochMillis() < epochMillis) {
      next++;
    }
    Sample after = samples.get(next);
    Sample before = samples.get(Math.max(0, next - 1));
    long span = after.epochMillis() - before.epochMillis();
    double share = span == 0 ? 1 : (epochMillis - before.epochMillis()) / span;
    return between(before.cpu(), after.cpu(), share);
  }

  private static Reading between(Reading before, Reading after, double share) {
    Map<Server, Double> byServer = new TreeMap<>();
    // A server that did not run before had used nothing.
    after
        .byServer()
        .forEach(
            (server, used) ->
                byServer.put(
                    server, between(before.byServer().getOrDefault(server, 0.0), used, share)));
    return new Reading(byServer, between(before.client(), after.client(), share));
  }

  private static double between(double before, double after, double share) {
    return before + (after - before) * share;
  }
}
