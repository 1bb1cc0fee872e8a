package io.lastfix.operate.job;

import io.lastfix.cluster.flink.Ledger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the ledger of the former job with that of the new one.
 *
 * @param before has the {@link #numbers} of the former job's ledger, if it had one
 */
record LedgerComparison(Map<String, Long> before) {
  private static final String IN = "ledger in";
  private static final String UNACCOUNTED = "ledger unaccounted";
  private static final String CHECKPOINT = "ledger checkpoint";

  /** What is stored of the former job's ledger. */
  static Map<String, Long> numbers(Ledger ledger) {
    return Map.of(
        IN, ledger.in(), UNACCOUNTED, ledger.unaccounted(), CHECKPOINT, ledger.checkpoint());
  }

  /** Returns whether the former job had a ledger. */
  boolean isPossible() {
    return before.containsKey(IN);
  }

  /**
   * Returns whether the upgrade has lost no record and counted none twice. A ledger that was not
   * balanced before is so by another cause.
   *
   * @param after the new job's ledger at a checkpoint that it has completed; empty: it has none
   */
  boolean isBalanced(Optional<Ledger> after) {
    return after
        .filter(this::continues)
        .filter(it -> it.unaccounted() == unaccounted())
        .isPresent();
  }

  /** A ledger that has begun again, because the new job did not restore it, proves nothing. */
  private boolean continues(Ledger after) {
    return isPossible() && after.in() >= in();
  }

  /** For the user. */
  List<String> lines(Optional<Ledger> after) {
    if (!isPossible()) {
      return List.of(
          "ledger: not compared, because the former job has none: its checkpoints are not aligned");
    }
    String former =
        String.format(
            Locale.ROOT,
            "ledger before: in %,d; unaccounted %,d, at checkpoint %,d",
            in(),
            unaccounted(),
            before.getOrDefault(CHECKPOINT, 0L));
    if (after.isEmpty()) {
      return List.of(former, "ledger after: not compared, because the new job reports none");
    }
    String latter = "ledger after: " + after.get().text();
    return continues(after.get())
        ? List.of(former, latter)
        : List.of(former, latter + "; not compared, because it has begun again");
  }

  private long in() {
    return before.getOrDefault(IN, 0L);
  }

  private long unaccounted() {
    return before.getOrDefault(UNACCOUNTED, 0L);
  }
}
