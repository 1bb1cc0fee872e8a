package io.lastfix.cli.bench;

import io.lastfix.cli.bench.QueryLoad.Question;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** The same measurement several times; what it says is the median of all. */
  record Rounds(List<Asked> all) {
    /** In what all rounds are alike. */
    Asked first() {
      return all.get(0);
    }

    double median(ToDoubleFunction<Asked> figure) {
      return Statistics.median(values(figure));
    }

    String spread(ToDoubleFunction<Asked> figure, int decimals) {
      return Statistics.spread(values(figure), decimals);
    }

    private List<Double> values(ToDoubleFunction<Asked> figure) {
      return all.stream().map(figure::applyAsDouble).toList();
    }

    /** Whether the job had something to store all the time. */
    boolean wereAtFullIngest() {
      return all.stream().allMatch(asked -> asked.lag() > 0);
    }

    /**
     * Of several, the one with the most answers whose 99th percentile and whose ingest are as they
     * should be.
     *
     * @param p99Millis below which that of the answers has to be
     * @param leastStored records a second that have to be stored meanwhile
     */
    static Optional<Rounds> best(List<Rounds> several, double p99Millis, double leastStored) {
      return several.stream()
          .filter(rounds -> rounds.median(Asked::p99) < p99Millis)
          .filter(rounds -> rounds.median(Asked::storedRate) >= leastStored)
          .max(Comparator.comparingDouble(rounds -> rounds.median(Asked::perSecond)));
    }
  }
}
