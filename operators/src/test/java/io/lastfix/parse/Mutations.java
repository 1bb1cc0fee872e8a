package io.lastfix.parse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Makes messages that nobody would send out of ones that somebody might: bytes overwritten, cut
 * out, doubled, inserted, bits flipped, two messages spliced, gzip damaged, other encodings, and
 * bytes that mean nothing at all. The same random numbers make the same messages.
 */
public final class Mutations {
  /** What a message grows to at the most, but for its last change. */
  private static final int LONGEST = 20_000;

  /** Bytes that mean something to a parser. */
  private static final byte[] TELLING =
      "<>/&;\"'{}[]:,!-?=\\ \n\r\0#x0123456789eE.+$\u00ff\u00fe\u00c3\u0080\u00f0\u00ed\u001f\u008b"
          .getBytes(StandardCharsets.ISO_8859_1);

  private static final List<Charset> ENCODINGS =
      List.of(
          StandardCharsets.UTF_16,
          StandardCharsets.UTF_16LE,
          StandardCharsets.UTF_16BE,
          Charset.forName("UTF-32"),
          Charset.forName("UTF-32LE"),
          StandardCharsets.ISO_8859_1,
          Charset.forName("IBM037"));

  private final Random random;
  private final List<byte[]> valid;

  /**
   * @param valid messages to begin with, each of at least one byte
   */
  public Mutations(Random random, List<byte[]> valid) {
    this.random = random;
    this.valid = List.copyOf(valid);
  }

  /** The next message. */
  public byte[] next() {
    byte[] message = anyValid();
    return switch (random.nextInt(10)) {
      case 0 -> noise();
      case 1 -> Messages.gzip(changed(message, random, fewChanges()));
      case 2 -> changed(Messages.gzip(message), random, 1 + random.nextInt(2));
      case 3 -> cutOff(random.nextBoolean() ? Messages.gzip(message) : message);
      case 4 -> spliced(message, anyValid());
      case 5 -> flipped(message);
      case 6 -> changed(reencoded(message), random, random.nextInt(2));
      default -> changed(message, random, fewChanges());
    };
  }

  private byte[] anyValid() {
    return valid.get(random.nextInt(valid.size()));
  }

  private int fewChanges() {
    return 1 + random.nextInt(6);
  }

  private byte[] noise() {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    if (bytes.length > 3 && random.nextBoolean()) {
      // Past the magic bytes, into the inflater.
      bytes[0] = 0x1f;
      bytes[1] = (byte) 0x8b;
      bytes[2] = 8;
      bytes[3] &= 0x1f;
    }
    return bytes;
  }

  private byte[] cutOff(byte[] message) {
    return Arrays.copyOf(message, random.nextInt(message.length));
  }

  private byte[] spliced(byte[] head, byte[] tail) {
    return joined(
        Arrays.copyOf(head, random.nextInt(head.length)), tail, random.nextInt(tail.length));
  }

  private byte[] flipped(byte[] message) {
    byte[] bytes = message.clone();
    for (int i = fewChanges(); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private byte[] reencoded(byte[] message) {
    Charset encoding = ENCODINGS.get(random.nextInt(ENCODINGS.size()));
    String text = new String(message, StandardCharsets.UTF_8);
    if (random.nextBoolean()) {
      text = "<?xml version='1.0' encoding='" + encoding.name() + "'?>" + text;
    }
    return text.getBytes(encoding);
  }

  /** Overwrites, cuts out, doubles and inserts bytes, mostly such as mean something to a parser. */
  static byte[] changed(byte[] valid, Random random, int changes) {
    byte[] bytes = valid;
    for (int i = 0; i < changes && bytes.length <= LONGEST; i++) {
      int at = random.nextInt(bytes.length);
      byte value =
          random.nextInt(4) == 0
              ? (byte) random.nextInt(256)
              : TELLING[random.nextInt(TELLING.length)];
      switch (random.nextInt(4)) {
        case 0 -> {
          bytes = bytes.clone();
          bytes[at] = value;
        }
        case 1 ->
            bytes =
                joined(
                    Arrays.copyOf(bytes, at + 1),
                    bytes,
                    Math.min(bytes.length, at + random.nextInt(20)));
        case 2 -> bytes = joined(Arrays.copyOf(bytes, at + 1), bytes, at / 2);
        default -> {
          byte[] head = Arrays.copyOf(bytes, at + 1);
          head[at] = value;
          bytes = joined(head, bytes, at);
        }
      }
    }
    return bytes;
  }

  private static byte[] joined(byte[] head, byte[] bytes, int tailFrom) {
    byte[] joined = Arrays.copyOf(head, head.length + bytes.length - tailFrom);
    System.arraycopy(bytes, tailFrom, joined, head.length, bytes.length - tailFrom);
    return joined;
  }
}
