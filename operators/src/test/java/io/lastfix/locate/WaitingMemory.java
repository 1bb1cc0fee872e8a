package io.lastfix.locate;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Radio;
import java.time.Duration;
import java.util.Locale;

/**
 * Measures the memory of a waiting record on the heap backend: {@code java -cp ...
 * io.lastfix.locate.WaitingMemory alone} if each is alone in its cell, {@code together} if all
 * share one. One case for each process, since the memory of the other might be freed meanwhile.
 */
public final class WaitingMemory {
  private static final int RECORDS = 150_000;
  private static final int COLLECTIONS = 4;
  private static final LocateOptions MANY =
      new LocateOptions(Duration.ofHours(1), 2 * RECORDS, Integer.MAX_VALUE);

  private WaitingMemory() {}

  /** Prints one line. */
  public static void main(String[] arguments) throws Exception {
    int cellsPerRecord = arguments[0].equals("alone") ? 1 : 0;
    try (LocateHarness harness = new LocateHarness(MANY, LocateHarness.Run.ON_HEAP)) {
      harness.record(record(0, 0));
      long before = usedBytes();
      for (int i = 1; i <= RECORDS; i++) {
        harness.record(record(i, cellsPerRecord * i));
      }
      double bytes = (usedBytes() - before) / (double) RECORDS;
      System.out.printf(
          Locale.ROOT,
          "%s: %.0f bytes a record, counts as %d%n",
          arguments[0],
          bytes,
          WaitingRecord.bytes(record(1, 1).user().length()));
    }
  }

  private static LocationRecord record(int user, int cell) {
    return new LocationRecord(
        "35000000%07d".formatted(user),
        new CellId(311, 480, 9728, cell),
        Radio.LTE,
        TestCells.NOON + user);
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
