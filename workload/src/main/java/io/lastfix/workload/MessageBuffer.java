package io.lastfix.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Builds a message in UTF-8, without the cost of {@code StringBuilder} and {@code
 * DateTimeFormatter} per record.
 */
final class MessageBuffer {
  private static final int SECONDS_PER_DAY = 86_400;

  private byte[] bytes = new byte[1024];
  private int length;

  void clear() {
    length = 0;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  /** Appends ASCII text that needs no escape. */
  @SuppressWarnings("deprecation") // getBytes into an array drops the high bytes; there are none
  MessageBuffer ascii(String text) {
    reserve(text.length());
    text.getBytes(0, text.length(), bytes, length);
    length += text.length();
    return this;
  }

  /** Appends a decimal number, with a minus sign if it is negative. */
  MessageBuffer number(long value) {
    if (value < 0) {
      return ascii(Long.toString(value));
    }
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return padded(value, digits);
  }

  /** Appends the last {@code digits} digits of a number of 0 or more, with leading zeros. */
  MessageBuffer padded(long value, int digits) {
    reserve(digits);
    long rest = value;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  /** Appends a finite number, as JSON writes it. */
  MessageBuffer decimal(double value) {
    return ascii(Double.toString(value));
  }

  /** Appends ISO 8601 in UTC with milliseconds, for the years 0 to 9999. */
  MessageBuffer isoTime(long epochMillis) {
    long epochSecond = Math.floorDiv(epochMillis, 1000L);
    date(Math.floorDiv(epochSecond, SECONDS_PER_DAY), "-");
    ascii("T");
    time(Math.floorMod(epochSecond, SECONDS_PER_DAY), ":");
    return ascii(".").padded(Math.floorMod(epochMillis, 1000L), 3).ascii("Z");
  }

  /** Appends MLP's {@code yyyyMMddHHmmss} in UTC, for the years 0 to 9999. */
  MessageBuffer mlpTime(long epochMillis) {
    long epochSecond = Math.floorDiv(epochMillis, 1000L);
    date(Math.floorDiv(epochSecond, SECONDS_PER_DAY), "");
    return time(Math.floorMod(epochSecond, SECONDS_PER_DAY), "");
  }

  /** Howard Hinnant's days-to-civil algorithm, in which years begin in March. */
  private void date(long epochDay, String separator) {
    long days = epochDay + 719_468; // since 0000-03-01
    long era = Math.floorDiv(days, 146_097L);
    long dayOfEra = Math.floorMod(days, 146_097L);
    long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long monthFromMarch = (5 * dayOfYear + 2) / 153;
    long day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
    long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    padded(year, 4).ascii(separator).padded(month, 2).ascii(separator).padded(day, 2);
  }

  private MessageBuffer time(int secondOfDay, String separator) {
    return padded(secondOfDay / 3600, 2)
        .ascii(separator)
        .padded(secondOfDay / 60 % 60, 2)
        .ascii(separator)
        .padded(secondOfDay % 60, 2);
  }

  /** Appends character data of an element. */
  MessageBuffer xmlText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || c == '&' || c == '<' || c == '>' || c == '\r') {
        return utf8(
            text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#13;"));
      }
    }
    return ascii(text);
  }

  /** Appends a JSON string with its quotes. */
  MessageBuffer jsonText(String text) {
    ascii("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || c < 0x20 || c == '"' || c == '\\') {
        return utf8(escapedForJson(text)).ascii("\"");
      }
    }
    return ascii(text).ascii("\"");
  }

  private static String escapedForJson(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else if (c < 0x20) {
        escaped.append("\\u00").append(c < 0x10 ? '0' : '1').append(Integer.toHexString(c & 0xF));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private MessageBuffer utf8(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    reserve(encoded.length);
    System.arraycopy(encoded, 0, bytes, length, encoded.length);
    length += encoded.length;
    return this;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
