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
  TRUNCATED {
    @Override
    byte[] apply(byte[] message, RecordEncoder encoder, SplittableRandom random) {
      return Arrays.copyOf(message, random.nextInt(1, message.length / 2));
    }
  },
  /** Begins with a byte with which neither XML nor JSON may begin. */
  GARBLED {
    @Override
    byte[] apply(byte[] message, RecordEncoder encoder, SplittableRandom random) {
      byte[] broken = message.clone();
      broken[0] = (byte) ('A' + random.nextInt(26));
      return broken;
    }
  },
  /** Well-formed, but the user's field has another name. */
  WITHOUT_USER {
    @Override
    byte[] apply(byte[] message, RecordEncoder encoder, SplittableRandom random) {
      byte[] field = encoder.userField().getBytes(StandardCharsets.US_ASCII);
      byte[] broken = message.clone();
      for (int at = indexOf(broken, field, 0); at >= 0; at = indexOf(broken, field, at + 1)) {
        broken[at] = 'x';
      }
      return broken;
    }
  },
  /** Well-formed, but the mobile country code's first digit is a minus sign. */
  NEGATIVE_NUMBER {
    @Override
    byte[] apply(byte[] message, RecordEncoder encoder, SplittableRandom random) {
      byte[] before = encoder.beforeCountryCode().getBytes(StandardCharsets.US_ASCII);
      byte[] broken = message.clone();
      broken[indexOf(broken, before, 0) + before.length] = '-';
      return broken;
    }
  };

  private static final Malformation[] ALL = values();

  /** A broken copy of the message. */
  abstract byte[] apply(byte[] message, RecordEncoder encoder, SplittableRandom random);

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
