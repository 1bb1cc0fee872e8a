package io.lastfix.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One question that the benchmark answers. */
public interface BenchPart {
  /** Measures, and puts what it found into the bench's report. */
  void run(Bench bench) throws Exception;

  /** Backwards each other round: what the machine does by and by is not theirs. */
  static <T> List<T> inTurn(List<T> all, int round) {
    List<T> ordered = new ArrayList<>(all);
    if (round % 2 == 0) {
      Collections.reverse(ordered);
    }
    return ordered;
  }
}
