package io.lastfix.bench.measure;

import java.util.List;
import java.util.Locale;

/** Summaries of several rounds of one measurement. */
public final class Statistics {
  private Statistics() {}

  /** The middle value, or the mean of the middle two; NaN if there is none. */
  public static double median(List<Double> values) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The minimum and maximum with N decimals; a dash if there are fewer than two values. */
  public static String spread(List<Double> values, int decimals) {
    if (values.size() < 2) {
      return "–";
    }
    String number = "%,." + decimals + "f";
    return String.format(
        Locale.ROOT,
        number + "–" + number,
        values.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
        values.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
  }
}
