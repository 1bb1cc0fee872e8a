package io.lastfix.workload;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Builds a message in UTF-8. */
final class MessageBuffer {
  private static final DateTimeFormatter ISO_TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
  private static final DateTimeFormatter MLP_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final StringBuilder text = new StringBuilder(1024);

  void clear() {
    text.setLength(0);
  }

  byte[] toBytes() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Appends text that needs no escape. */
  MessageBuffer plain(String unescaped) {
    text.append(unescaped);
    return this;
  }

  /** Appends a decimal number, with a minus sign if it is negative. */
  MessageBuffer number(long value) {
    text.append(value);
    return this;
  }

  /** Appends a number of 0 or more, which has no more digits, with leading zeros. */
  MessageBuffer padded(long value, int digits) {
    String number = Long.toString(value);
    text.append("0".repeat(digits - number.length())).append(number);
    return this;
  }

  /** Appends a finite number, as JSON writes it. */
  MessageBuffer decimal(double value) {
    text.append(value);
    return this;
  }

  /** Appends ISO 8601 in UTC with milliseconds, for the years 0 to 9999. */
  MessageBuffer isoTime(long epochMillis) {
    ISO_TIME.formatTo(Instant.ofEpochMilli(epochMillis), text);
    return this;
  }

  /** Appends MLP's {@code yyyyMMddHHmmss} in UTC, for the years 1 to 9999. */
  MessageBuffer mlpTime(long epochMillis) {
    MLP_TIME.formatTo(Instant.ofEpochMilli(epochMillis), text);
    return this;
  }

  /** Appends character data of an element. */
  MessageBuffer xmlText(String characters) {
    return plain(
        characters
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\r", "&#13;"));
  }

  /** Appends a JSON string with its quotes. */
  MessageBuffer jsonText(String characters) {
    text.append('"');
    JsonStringEncoder.getInstance().quoteAsString(characters, text);
    text.append('"');
    return this;
  }
}
