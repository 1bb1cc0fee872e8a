package io.lastfix.parse.profile;

import java.time.Month;
import java.time.Year;

/**
 * Parses timestamps by hand, because java.time allocates about ten objects for each. It accepts the
 * formats of {@link TimestampParser} and nothing else; the tests compare it with java.time.
 */
public final class Timestamps {
  private static final int MAX_OFFSET_SECONDS = 18 * 3600;

  /** A larger number of seconds is in the year 5138 or later; of milliseconds, in 1973 or later. */
  private static final long MIN_MILLIS = 100_000_000_000L;

  private Timestamps() {}

  /**
   * {@code YYYY-MM-DDTHH:MM[:SS[.fraction]][offset]}; the offset may be absent only if one is
   * passed in.
   */
  static long iso8601(char[] text, int from, int to, int offsetSeconds) {
    return to - from > 10 && (text[from + 10] | 0x20) == 't'
        ? dateAndTime(text, from, to, offsetSeconds)
        : TimestampParser.INVALID;
  }

  /** Reads what {@link #iso8601} does, with any character between date and time. */
  private static long dateAndTime(char[] text, int from, int to, int offsetSeconds) {
    if (to - from < 16
        || text[from + 4] != '-'
        || text[from + 7] != '-'
        || text[from + 13] != ':') {
      return TimestampParser.INVALID;
    }
    int year = digits(text, from, 4);
    int month = digits(text, from + 5, 2);
    int day = digits(text, from + 8, 2);
    int hour = digits(text, from + 11, 2);
    int minute = digits(text, from + 14, 2);
    int second = 0;
    int milli = 0;
    int at = from + 16;
    if (at < to && text[at] == ':') {
      if (to - at < 3) {
        return TimestampParser.INVALID;
      }
      second = digits(text, at + 1, 2);
      at += 3;
      if (at < to && text[at] == '.') {
        int end = endOfDigits(text, at + 1, to);
        if (end == at + 1 || end > at + 10) {
          return TimestampParser.INVALID;
        }
        milli = milliOfFraction(text, at + 1, end);
        at = end;
      }
    }
    int offset = at == to ? offsetSeconds : isoOffset(text, at, to);
    if (offset == TimestampParser.NO_OFFSET) {
      return TimestampParser.INVALID;
    }
    return millis(year, month, day, hour, minute, second, milli, offset);
  }

  private static int isoOffset(char[] text, int from, int to) {
    char first = text[from];
    boolean startsAnOffset = first == '+' || first == '-' || (first | 0x20) == 'z';
    return startsAnOffset ? offset(text, from, to) : TimestampParser.NO_OFFSET;
  }

  /**
   * Returns the seconds east of UTC for {@code Z}, {@code HH}, {@code HHMM} or {@code HH:MM}. The
   * digits may have a sign; without one they are positive. The maximum is 18 hours, as in
   * java.time. Returns {@link TimestampParser#NO_OFFSET} for anything else.
   */
  public static int offset(char[] text, int from, int to) {
    if (to - from == 1 && (text[from] | 0x20) == 'z') {
      return 0;
    }
    boolean west = from < to && text[from] == '-';
    int at = west || (from < to && text[from] == '+') ? from + 1 : from;
    int length = to - at;
    boolean hasColon = length == 5 && text[at + 2] == ':';
    if (length != 2 && length != 4 && !hasColon) {
      return TimestampParser.NO_OFFSET;
    }
    int hours = digits(text, at, 2);
    int minutes = length == 2 ? 0 : digits(text, to - 2, 2);
    int seconds = hours * 3600 + minutes * 60;
    if (hours < 0 || minutes < 0 || minutes > 59 || seconds > MAX_OFFSET_SECONDS) {
      return TimestampParser.NO_OFFSET;
    }
    return west ? -seconds : seconds;
  }

  /**
   * Milliseconds: up to 18 digits, with an optional minus sign and an optional fraction of 1 to 9
   * digits, as a sender writes that computes in floating point.
   */
  static long epochMillis(char[] text, int from, int to) {
    return epoch(text, from, to, 999_999_999_999_999_999L, 0);
  }

  /**
   * Returns the whole number with that many digits of its fraction.
   *
   * @param max of the whole number
   */
  private static long epoch(char[] text, int from, int to, long max, int decimals) {
    boolean negative = from < to && text[from] == '-';
    int start = negative ? from + 1 : from;
    int point = endOfDigits(text, start, to);
    long value = Decimals.parse(text, start, point, max);
    if (value == Decimals.INVALID || !isFractionOrEnd(text, point, to)) {
      return TimestampParser.INVALID;
    }
    int behind = point + 1 + decimals;
    for (int i = point + 1; i < behind; i++) {
      value = value * 10 + (i < to ? text[i] - '0' : 0);
    }
    // Truncation rounds down, as in java.time.Instant.
    return negative ? -value - (hasNonZero(text, behind, to) ? 1 : 0) : value;
  }

  /** Returns true if nothing follows, or a point and 1 to 9 digits. */
  private static boolean isFractionOrEnd(char[] text, int point, int to) {
    return point == to
        || (text[point] == '.'
            && to > point + 1
            && to <= point + 10
            && endOfDigits(text, point + 1, to) == to);
  }

  /**
   * Seconds: up to 15 digits, with an optional minus sign and an optional fraction of 1 to 9
   * digits.
   */
  static long epochSeconds(char[] text, int from, int to) {
    return epoch(text, from, to, 999_999_999_999_999L, 3);
  }

  /**
   * Seconds or milliseconds by size, perhaps with a fraction; or ISO 8601, also with a blank in
   * place of the T, and then in UTC if no offset is given.
   */
  static long any(char[] text, int from, int to, int offsetSeconds) {
    long seconds = epochSeconds(text, from, to);
    if (seconds == TimestampParser.INVALID) {
      // More than 15 digits, or no number.
      long millis = epochMillis(text, from, to);
      if (millis != TimestampParser.INVALID) {
        return millis;
      }
      if (to - from > 10 && text[from + 10] == ' ') {
        int offset = offsetSeconds == TimestampParser.NO_OFFSET ? 0 : offsetSeconds;
        return dateAndTime(text, from, to, offset);
      }
      return iso8601(text, from, to, offsetSeconds);
    }
    int start = text[from] == '-' ? from + 1 : from;
    long whole = Decimals.parse(text, start, endOfDigits(text, start, to), Long.MAX_VALUE);
    return whole >= MIN_MILLIS ? epochMillis(text, from, to) : seconds;
  }

  /** Returns the timestamp, or {@link TimestampParser#INVALID} if a part is out of range. */
  static long millis(
      int year, int month, int day, int hour, int minute, int second, int milli, int offset) {
    if (year < 0
        || month < 1
        || month > 12
        || day < 1
        || day > Month.of(month).length(Year.isLeap(year))
        || hour < 0
        || hour > 23
        || minute < 0
        || minute > 59
        || second < 0
        || second > 59) {
      return TimestampParser.INVALID;
    }
    long seconds = epochDay(year, month, day) * 86_400 + hour * 3600L + minute * 60L + second;
    return (seconds - offset) * 1000 + milli;
  }

  /**
   * Returns days since 1970-01-01 in the proleptic Gregorian calendar. It counts years from March
   * on, so that the leap day comes last. There are 306 days between 1 March and the end of the
   * year, and 719,468 between 0000-03-01 and 1970-01-01.
   */
  private static long epochDay(int year, int month, int day) {
    int yearFromMarch = month <= 2 ? year - 1 : year;
    int monthFromMarch = (month + 9) % 12;
    int leapDays =
        Math.floorDiv(yearFromMarch, 4)
            - Math.floorDiv(yearFromMarch, 100)
            + Math.floorDiv(yearFromMarch, 400);
    int dayFromMarch = (153 * monthFromMarch + 2) / 5 + day - 1;
    return 365L * yearFromMarch + leapDays + dayFromMarch - 719_468;
  }

  /** Returns the number of exactly {@code count} digits, or less than 0. */
  private static int digits(char[] text, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static int endOfDigits(char[] text, int from, int to) {
    int at = from;
    while (at < to && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at;
  }

  private static int milliOfFraction(char[] text, int from, int to) {
    int milli = 0;
    for (int i = from; i < from + 3; i++) {
      milli = milli * 10 + (i < to ? text[i] - '0' : 0);
    }
    return milli;
  }

  private static boolean hasNonZero(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] != '0') {
        return true;
      }
    }
    return false;
  }
}
