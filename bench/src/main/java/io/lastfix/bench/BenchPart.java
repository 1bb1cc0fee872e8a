package io.lastfix.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A part of the benchmark: one kind of measurement. */
interface BenchPart {
  /** Measures, and adds the results to the bench's report. */
  void run(Bench bench) throws Exception;

  /** Reverses the order every second round, so that a drift of the machine favours no candidate. */
  static <T> List<T> inTurn(List<T> all, int round) {
    List<T> ordered = new ArrayList<>(all);
    if (round % 2 == 0) {
      Collections.reverse(ordered);
    }
    return ordered;
  }
}
