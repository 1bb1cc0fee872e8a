package io.lastfix.bench;

import io.lastfix.bench.ProcessCpu.Reading;
import io.lastfix.bench.QueryLoad.Question;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * So many clients asked one thing for a while.
 *
 * @param ingest what was stored meanwhile, in words
 * @param clients that asked at the same time
 * @param perSecond answers
 * @param rates of what was sent and stored meanwhile
 * @param fullRate records a second that were stored just before, when nobody asked, where the job
 *     stored what waited as fast as it could; else NaN
 * @param lag records that were sent and not stored at the end of it
 */
record QueryLoadResult(
    String ingest,
    Question question,
    int clients,
    double perSecond,
    Latencies latencies,
    LiveJob.Rates rates,
    double fullRate,
    long lag) {
  double sentRate() {
    return rates.sent();
  }

  double storedRate() {
    return rates.stored();
  }

  double p50() {
    return latencies.percentile(50);
  }

  double p99() {
    return latencies.percentile(99);
  }

  String name() {
    return question.name().toLowerCase(Locale.ROOT);
  }

  /** What is stored of what is stored when nobody asks; NaN where that is not known. */
  double storedShare() {
    return storedRate() / fullRate;
  }

  /** Whether it was what it was to be: full ingest is none any more when nothing waits. */
  boolean isValid() {
    return Double.isNaN(fullRate) || (fullRate > 0 && lag > 0);
  }

  /** The same measurement several times. */
  record Rounds(List<QueryLoadResult> all) {
    /** In what all rounds are alike. */
    QueryLoadResult first() {
      return all.get(0);
    }

    boolean areValid() {
      return all.stream().allMatch(QueryLoadResult::isValid);
    }

    /** NaN where a round is not valid. */
    double median(ToDoubleFunction<QueryLoadResult> figure) {
      return areValid() ? Statistics.median(values(figure)) : Double.NaN;
    }

    /** The same of what the processes used, in CPU seconds a second. */
    double medianCpu(ToDoubleFunction<Reading> figure) {
      return median(asked -> figure.applyAsDouble(asked.rates().cpu()));
    }

    String spread(ToDoubleFunction<QueryLoadResult> figure, int decimals) {
      return Statistics.spread(areValid() ? values(figure) : List.of(), decimals);
    }

    private List<Double> values(ToDoubleFunction<QueryLoadResult> figure) {
      return all.stream().map(figure::applyAsDouble).toList();
    }

    /**
     * The answers a second that half of the rounds or more have reached; a round whose 99th
     * percentile or whose ingest is not as it should be has reached none. The more is stored, the
     * less is answered, so the medians of each by itself could be of different rounds.
     *
     * @param p99Millis below which the 99th percentile has to be
     * @param leastShare of what is stored when nobody asks, that has to be stored
     */
    double perSecondOfGood(double p99Millis, double leastShare) {
      List<Double> sorted =
          sorted(asked -> isGood(asked, p99Millis, leastShare) ? asked.perSecond() : 0);
      // The lesser of the middle two: their mean would be of no round.
      return areValid() ? sorted.get((sorted.size() - 1) / 2) : Double.NaN;
    }

    /**
     * The 99th percentile that half of the rounds or more have kept to, in milliseconds; infinite
     * where the ingest was not as it should be.
     */
    double p99OfGood(double leastShare) {
      List<Double> sorted =
          sorted(
              asked -> asked.storedShare() >= leastShare ? asked.p99() : Double.POSITIVE_INFINITY);
      return areValid() ? sorted.get(sorted.size() / 2) : Double.NaN;
    }

    private static boolean isGood(QueryLoadResult asked, double p99Millis, double leastShare) {
      return asked.p99() < p99Millis && asked.storedShare() >= leastShare;
    }

    private List<Double> sorted(ToDoubleFunction<QueryLoadResult> figure) {
      return values(figure).stream().sorted().toList();
    }
  }
}
