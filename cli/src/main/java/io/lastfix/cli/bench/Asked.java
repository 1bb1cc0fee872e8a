package io.lastfix.cli.bench;

import io.lastfix.cli.bench.QueryLoad.Question;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * So many clients asked one thing for a while.
 *
 * @param ingest what was stored meanwhile, in words
 * @param clients that asked at the same time
 * @param perSecond answers
 * @param sentRate records a second that were sent to Kafka meanwhile
 * @param storedRate records a second that were stored meanwhile
 * @param lag records that were sent and not stored at the end of it
 */
record Asked(
    String ingest,
    Question question,
    int clients,
    double perSecond,
    Latencies latencies,
    double sentRate,
    double storedRate,
    long lag) {
  double p50() {
    return latencies.percentile(50);
  }

  double p99() {
    return latencies.percentile(99);
  }

  String name() {
    return question.name().toLowerCase(Locale.ROOT);
  }

  /** Whether the job had something to store all the time. */
  boolean isAtFullIngest() {
    return lag > 0;
  }

  /** The median of several rounds; NaN unless the job had something to store in each. */
  static double medianAtFullIngest(List<Asked> rounds, ToDoubleFunction<Asked> figure) {
    return rounds.stream().allMatch(Asked::isAtFullIngest)
        ? Statistics.median(rounds.stream().map(figure::applyAsDouble).toList())
        : Double.NaN;
  }
}
