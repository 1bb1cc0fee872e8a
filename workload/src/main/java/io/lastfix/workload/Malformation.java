package io.lastfix.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
    byte[] broken = message.clone();
    switch (this) {
      case TRUNCATED -> broken = Arrays.copyOf(message, random.nextInt(1, message.length / 2));
      case GARBLED -> broken[0] = (byte) ('A' + random.nextInt(26));
      case WITHOUT_USER -> {
        byte[] field = format.userField().getBytes(StandardCharsets.US_ASCII);
        for (int at = indexOf(broken, field, 0); at >= 0; at = indexOf(broken, field, at + 1)) {
          broken[at] = 'x';
        }
      }
      case NEGATIVE_NUMBER -> {
        byte[] before = format.beforeCountryCode().getBytes(StandardCharsets.US_ASCII);
        broken[indexOf(broken, before, 0) + before.length] = '-';
      }
    }
    return broken;
  }

  static Malformation any(SplittableRandom random) {
    return ALL[random.nextInt(ALL.length)];
  }

  private static int indexOf(byte[] bytes, byte[] sought, int from) {
    for (int at = from; at <= bytes.length - sought.length; at++) {
      if (Arrays.equals(bytes, at, at + sought.length, sought, 0, sought.length)) {
        return at;
      }
    }
    return -1;
  }
}
