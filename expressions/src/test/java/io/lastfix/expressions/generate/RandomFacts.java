package io.lastfix.expressions.generate;

import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Name;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Facts of any values: extreme ones, absent ones, and functions that fail. */
record RandomFacts(
    String user,
    @Nullable String cell,
    @Nullable String network,
    String source,
    double lon,
    double lat,
    double accuracy,
    double altitude,
    double speed,
    long timeMillis,
    boolean isFar)
    implements Facts {
  private static final List<String> TEXTS =
      List.of("", "a", "bus-17", "310-410", "12", "-7.25", "😀", "NaN", "Infinity", "\n\"");
  private static final List<Double> NUMBERS =
      List.of(0.0, -0.0, 1.5, 20.0, -122.4, 37.7, 0.1, 1e19, -0x1p63, 4e15, -1e308);
  private static final List<Double> EXTREMES =
      List.of(Double.MAX_VALUE, Double.MIN_VALUE, Double.POSITIVE_INFINITY, Double.NaN, Double.NaN);
  private static final List<Long> TIMES =
      List.of(0L, -1L, 1_763_640_000_000L, 1_774_749_600_000L, Long.MAX_VALUE, Long.MIN_VALUE);

  static RandomFacts of(Random random) {
    return new RandomFacts(
        any(TEXTS, random),
        orNull(random),
        orNull(random),
        any(TEXTS, random),
        any(NUMBERS, random),
        any(NUMBERS, random),
        number(random),
        number(random),
        number(random),
        time(random),
        random.nextBoolean());
  }

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  private static @Nullable String orNull(Random random) {
    return random.nextInt(3) == 0 ? null : any(TEXTS, random);
  }

  private static double number(Random random) {
    return any(random.nextBoolean() ? NUMBERS : EXTREMES, random);
  }

  /** Returns an extreme time, one of the years 1901 to 2038, or one of ten thousands of years. */
  private static long time(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> any(TIMES, random);
      case 1 -> random.nextInt() * 1_003L;
      default -> random.nextInt() * 1_000_003L;
    };
  }

  /** Returns the value of one of the names of texts. */
  @Nullable String text(Name name) {
    return switch (name) {
      case USER -> user;
      case CELL -> cell;
      case NETWORK -> network;
      case SOURCE -> source;
      default -> throw new IllegalArgumentException(name + " is no text");
    };
  }

  RandomFacts withUser(String other) {
    return new RandomFacts(
        other, cell, network, source, lon, lat, accuracy, altitude, speed, timeMillis, isFar);
  }

  @Override
  public double metersTo(double otherLon, double otherLat) {
    if (!(Math.abs(otherLon) <= 180)) {
      throw new IllegalArgumentException("lon: expected -180 to 180, found " + otherLon);
    }
    return Math.abs(otherLon - lon) + Math.abs(otherLat - lat);
  }

  @Override
  public boolean isInside(String fence) {
    if (fence.equals("yard")) {
      throw new IllegalStateException("the yard is closed");
    }
    return isFar == fence.equals("depot");
  }

  @Override
  public String area(int level) {
    return "a" + level;
  }
}
