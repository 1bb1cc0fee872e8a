package io.lastfix.bench;

import io.lastfix.bench.load.Latencies;
import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.servers.QueryLoad.Query;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Result of N clients repeating one query for a fixed time.
 *
 * @param ingest the load meanwhile, in words
 * @param clients that queried concurrently
 * @param perSecond answers a second
 * @param rates sent and stored meanwhile
 * @param fullRate if the job stored a backlog as fast as it could, the records a second that it
 *     stored just before, without queries; else NaN
 * @param lag records that were sent and not stored at its end
 */
record QueryLoadResult(
    String ingest,
    Query query,
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
    return query.name().toLowerCase(Locale.ROOT);
  }

  /** The ingest rate as a share of the rate without queries; NaN if that is not known. */
  double storedShare() {
    return storedRate() / fullRate;
  }

  /** Returns whether the ingest was as intended: full ingest needs a backlog until the end. */
  boolean isValid() {
    return Double.isNaN(fullRate) || (fullRate > 0 && lag > 0);
  }

  /** Several rounds of one measurement. */
  record Rounds(List<QueryLoadResult> all) {
    /** The first round, for the values that all rounds share. */
    QueryLoadResult first() {
      return all.get(0);
    }

    boolean areValid() {
      return all.stream().allMatch(QueryLoadResult::isValid);
    }

    /** The median; NaN if a round is not valid. */
    double median(ToDoubleFunction<QueryLoadResult> figure) {
      return areValid() ? Statistics.median(values(figure)) : Double.NaN;
    }

    /** The median of CPU seconds a second. */
    double medianCpu(ToDoubleFunction<Reading> figure) {
      return median(result -> figure.applyAsDouble(result.rates().cpu()));
    }

    String spread(ToDoubleFunction<QueryLoadResult> figure, int decimals) {
      return Statistics.spread(areValid() ? values(figure) : List.of(), decimals);
    }

    private List<Double> values(ToDoubleFunction<QueryLoadResult> figure) {
      return all.stream().map(figure::applyAsDouble).toList();
    }

    /**
     * The answers a second that at least half of the rounds reached. A round counts as zero if its
     * 99th percentile or its ingest misses the bound. More ingest means fewer answers, so separate
     * medians of the two could come from different rounds.
     *
     * @param p99Millis upper bound of the 99th percentile
     * @param leastShare lower bound of the ingest, as a share of the rate without queries
     */
    double perSecondOfGood(double p99Millis, double leastShare) {
      List<Double> sorted =
          sorted(result -> isGood(result, p99Millis, leastShare) ? result.perSecond() : 0);
      // The lesser of the middle two: their mean belongs to no round.
      return areValid() ? sorted.get((sorted.size() - 1) / 2) : Double.NaN;
    }

    /**
     * The 99th percentile that at least half of the rounds kept, in milliseconds; infinite for a
     * round whose ingest misses the bound.
     */
    double p99OfGood(double leastShare) {
      List<Double> sorted =
          sorted(
              result ->
                  result.storedShare() >= leastShare ? result.p99() : Double.POSITIVE_INFINITY);
      return areValid() ? sorted.get(sorted.size() / 2) : Double.NaN;
    }

    private static boolean isGood(QueryLoadResult result, double p99Millis, double leastShare) {
      return result.p99() < p99Millis && result.storedShare() >= leastShare;
    }

    private List<Double> sorted(ToDoubleFunction<QueryLoadResult> figure) {
      return values(figure).stream().sorted().toList();
    }
  }
}
