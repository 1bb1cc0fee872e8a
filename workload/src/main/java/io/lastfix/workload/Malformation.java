package io.lastfix.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.SplittableRandom;

/**
 * Ways to break a message of one record so that a parser must reject it: exactly one rejection, and
 * no record.
 */
enum Malformation {
  /** Ends within the first half, so that its record is never complete. */
  TRUNCATED,
  /** Begins with a byte with which neither XML nor JSON may begin. */
  GARBLED,
  /** Well-formed, but the user's field has another name. */
  WITHOUT_USER,
  /** Well-formed, but the mobile country code's first digit is a minus sign. */
  NEGATIVE_NUMBER;

  private static final Malformation[] ALL = values();

  /** A broken copy of the message. */
  byte[] apply(byte[] message, MessageFormat format, SplittableRandom random) {
    // A character for each byte.
    String text = new String(message, ISO_8859_1);
    String broken =
        switch (this) {
          case TRUNCATED -> text.substring(0, random.nextInt(1, text.length() / 2));
          case GARBLED -> (char) ('A' + random.nextInt(26)) + text.substring(1);
          case WITHOUT_USER ->
              text.replace(format.userField(), "x" + format.userField().substring(1));
          case NEGATIVE_NUMBER -> {
            String before = format.beforeCountryCode();
            int digit = text.indexOf(before) + before.length();
            yield text.substring(0, digit) + '-' + text.substring(digit + 1);
          }
        };
    return broken.getBytes(ISO_8859_1);
  }

  static Malformation any(SplittableRandom random) {
    return ALL[random.nextInt(ALL.length)];
  }
}
