package io.lastfix.cli.bench;

import io.lastfix.cli.bench.QueryLoad.Question;
import java.util.List;
import java.util.Locale;

/**
 * So many clients asked one thing for a while.
 *
 * @param clients that asked at the same time
 * @param perSecond answers
 * @param sentRate records a second that were sent to Kafka meanwhile
 * @param storedRate records a second that were stored meanwhile
 * @param lag records that were sent and not stored at the end of it
 */
record Asked(
    Question question,
    int clients,
    double perSecond,
    Latencies latencies,
    double sentRate,
    double storedRate,
    long lag) {
  private static final double WANTED_P99_MILLIS = 20;

  /** Of the rate without questions: with less, it is the questions that have the machine. */
  private static final double FULL_SHARE = 0.5;

  double p99() {
    return latencies.percentile(99);
  }

  String name() {
    return question.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The most {@code where} a second with a 99th percentile below 20 ms, while the job stored what
   * waited in Kafka, at half its rate or more; NaN if nothing waited any more.
   *
   * @param ingestRate the job's rate without questions
   */
  static double wheresAtFullIngest(List<Asked> all, double ingestRate) {
    List<Asked> measured =
        all.stream().filter(it -> it.question() == Question.WHERE && it.lag() > 0).toList();
    if (measured.isEmpty()) {
      return Double.NaN;
    }
    return measured.stream()
        .filter(it -> it.storedRate() >= FULL_SHARE * ingestRate && it.p99() < WANTED_P99_MILLIS)
        .mapToDouble(Asked::perSecond)
        .max()
        .orElse(0);
  }
}
