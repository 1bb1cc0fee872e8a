package io.lastfix.expressions.generate;

import io.lastfix.expressions.Code;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What generated classes extend: their constants, and what CEL computes otherwise than Java's
 * operators. It is public, because a generated class is in a class loader of its own.
 */
public abstract class GeneratedCode implements Code {
  /** Of 2^63 and more, and of what is no finite number. */
  private static final int EXPONENT_OUT_OF_RANGE = 63;

  protected final String[] texts;
  protected final long[] longs;
  protected final double[] doubles;
  private final Set<?>[] textSets;
  private final long[][] longLists;
  private final double[][] doubleLists;
  private final LocalTimes[] zones;

  /** Takes the constants. */
  protected GeneratedCode(Constants constants) {
    texts = constants.texts.toArray(String[]::new);
    longs = longs(constants.longs);
    doubles = doubles(constants.doubles);
    textSets = constants.textSets.toArray(Set<?>[]::new);
    longLists = constants.longLists.stream().map(GeneratedCode::longs).toArray(long[][]::new);
    doubleLists =
        constants.doubleLists.stream().map(GeneratedCode::doubles).toArray(double[][]::new);
    zones = constants.zones.stream().map(LocalTimes::new).toArray(LocalTimes[]::new);
  }

  private static long[] longs(List<Long> list) {
    return list.stream().mapToLong(Long::longValue).toArray();
  }

  private static double[] doubles(List<Double> list) {
    return list.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Divides, and fails on an overflow, too. */
  protected static long divide(long dividend, long divisor) {
    if (dividend == Long.MIN_VALUE && divisor == -1) {
      throw new ArithmeticException("long overflow");
    }
    return dividend / divisor;
  }

  /** Rounds towards zero, and fails if the number is out of range, as -2^63 is for CEL. */
  protected static long toLong(double number) {
    if (Math.getExponent(number) >= EXPONENT_OUT_OF_RANGE) {
      throw new ArithmeticException("out of range for int");
    }
    return (long) number;
  }

  /** Compares as CEL does: NaN is greater than any number, and -0.0 is less than 0. */
  protected static int compareNumbers(double number, long other) {
    return Double.compare(number, (double) other);
  }

  protected static int compareTexts(String text, String other) {
    return text.compareTo(other);
  }

  protected static boolean areEqual(@Nullable String text, @Nullable String other) {
    return Objects.equals(text, other);
  }

  /** Returns the number of code points. */
  protected static long size(String text) {
    return text.codePointCount(0, text.length());
  }

  protected final boolean isTextIn(int set, String text) {
    return textSets[set].contains(text);
  }

  protected final boolean isLongIn(int list, long number) {
    for (long element : longLists[list]) {
      if (element == number) {
        return true;
      }
    }
    return false;
  }

  /** Unlike {@code ==}, NaN is in a list with NaN. */
  protected final boolean isDoubleIn(int list, double number) {
    for (double element : doubleLists[list]) {
      if (element == number || Double.compare(element, number) == 0) {
        return true;
      }
    }
    return false;
  }

  protected final long year(int zone, long millis) {
    return zones[zone].year(millis);
  }

  protected final long month(int zone, long millis) {
    return zones[zone].month(millis);
  }

  protected final long date(int zone, long millis) {
    return zones[zone].date(millis);
  }

  protected final long dayOfWeek(int zone, long millis) {
    return zones[zone].dayOfWeek(millis);
  }

  protected final long hour(int zone, long millis) {
    return zones[zone].hour(millis);
  }

  protected final long minute(int zone, long millis) {
    return zones[zone].minute(millis);
  }
}
