package io.lastfix.analytics.timeline;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/**
 * Measures {@link TimelineFunction} in a stream. Arguments: users, seconds between a user's
 * records, hours.
 */
final class TimelineBenchmark {
  private static final long START = 1_795_176_000_000L;
  private static final int PLACES = 40;

  private TimelineBenchmark() {}

  public static void main(String[] args) throws Exception {
    int users = Integer.parseInt(args[0]);
    long gapMillis = Long.parseLong(args[1]) * 1_000;
    int hours = Integer.parseInt(args[2]);
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new TimelineFunction(TimelineOptions.defaults())),
            LocatedRecord::user,
            Types.STRING);
    harness.open();
    harness.processWatermark(new Watermark(START - 1));
    Random random = new Random(1);
    int[] places = new int[users];
    for (int hour = 0; hour < hours; hour++) {
      long begin = System.nanoTime();
      long records = 0;
      for (long now = 0; now < 3_600_000; now += gapMillis) {
        long millis = START + hour * 3_600_000L + now;
        for (int user = 0; user < users; user++) {
          if (random.nextInt(5) == 0) {
            places[user] = random.nextInt(PLACES);
          }
          int place = places[user];
          harness.processElement(
              new LocatedRecord(
                  "user-" + user,
                  new CellId(310, 410, 1, place),
                  millis + user % gapMillis,
                  new Position(-122.4 + 0.01 * place, 37.7)),
              millis);
          records++;
        }
        harness.getOutput().clear();
        harness.processWatermark(new Watermark(millis - 5_000));
      }
      System.out.printf(
          "hour %d: %.1f us a record%n", hour, (System.nanoTime() - begin) / 1_000.0 / records);
    }
    harness.close();
  }
}
