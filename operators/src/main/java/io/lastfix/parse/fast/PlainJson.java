package io.lastfix.parse.fast;

import io.lastfix.parse.profile.Decimals;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.RecordFields;

/**
 * Reads records of plain JSON: ASCII objects whose members are strings without escapes, whole
 * numbers, or such objects. Jackson reads everything else, so the records are the same as with
 * Jackson alone.
 *
 * <p>What it saves: about 0.2 µs of a record, which is half a percent of the 41.7 µs of CPU time
 * that the record takes in Flink, Kafka and MongoDB together. The decoder takes 0.20 µs (50 records
 * a message) to 0.22 µs (one), and 0.38 to 0.46 µs with {@code parse.fast: false}. Jackson alone,
 * which reads the same bytes without building records, takes 0.17 to 0.25 µs. Commit f26d92e,
 * {@code lastfix bench --records 1000000 --rounds 2 --seconds 3}; the times with {@code parse.fast:
 * false} are of one round of {@code JsonDecoderBenchmark.decoderByJackson} on 2026-11-23.
 */
public final class PlainJson {
  /** Marks content that is not plain; it may still be valid JSON. */
  public static final int NOT_PLAIN = -1;

  /** Far below Jackson's own limit for a name. */
  private static final int MAX_NAME_BYTES = 1_000;

  private final PathNode recordNode;
  private final RecordFields fields;
  private final int maxNestingDepth;

  public PlainJson(PathNode recordNode, RecordFields fields, int maxNestingDepth) {
    this.recordNode = recordNode;
    this.fields = fields;
    this.maxNestingDepth = maxNestingDepth;
  }

  /**
   * Collects the fields of the record whose opening brace is at {@code from}.
   *
   * @param outerDepth number of arrays around the record
   * @return the offset after its closing brace; {@link #NOT_PLAIN} if the record is not plain, and
   *     then the fields are undefined
   */
  public int readRecord(byte[] content, int from, int outerDepth) {
    if (outerDepth >= maxNestingDepth) {
      return NOT_PLAIN;
    }
    fields.clear();
    PathNode node = recordNode;
    int depth = outerDepth + 1;
    int at = from;
    while (true) {
      // This is the opening brace or comma before a member.
      int quote = blanksEnd(content, at + 1);
      PathNode child =
          byteAt(content, quote) == '"' ? node.child(content, quote + 1, (byte) '"') : null;
      int nameEnd = child == null ? unknownNameEnd(content, quote) : quote + child.nameLength() + 2;
      int colon = nameEnd == NOT_PLAIN ? NOT_PLAIN : blanksEnd(content, nameEnd);
      if (colon == NOT_PLAIN || byteAt(content, colon) != ':') {
        return NOT_PLAIN;
      }
      int value = blanksEnd(content, colon + 1);
      if (byteAt(content, value) == '{') {
        if (child == null || !child.hasChildren() || depth == maxNestingDepth) {
          return NOT_PLAIN;
        }
        fields.enter(child);
        node = child;
        depth++;
        at = value;
        continue;
      }
      at = child == null ? valueEnd(content, value) : readValue(content, value, child);
      if (at == NOT_PLAIN) {
        return NOT_PLAIN;
      }
      at = blanksEnd(content, at);
      while (byteAt(content, at) == '}') {
        PathNode parent = node.parent();
        if (parent == null) {
          return at + 1;
        }
        node = parent;
        depth--;
        at = blanksEnd(content, at + 1);
      }
      if (byteAt(content, at) != ',') {
        return NOT_PLAIN;
      }
    }
  }

  private int readValue(byte[] content, int from, PathNode node) {
    if (!node.hasSlot()) {
      return NOT_PLAIN;
    }
    if (byteAt(content, from) != '"') {
      return readNumber(content, from, node);
    }
    int end = stringEnd(content, from);
    if (end != NOT_PLAIN) {
      fields.enter(node);
      fields.setAscii(node.slot(), 0, content, from + 1, end - 1);
    }
    return end;
  }

  /**
   * Computes the value while searching for the end, since most fields need it as a number. That
   * includes the fields that accept a fraction: nearly every timestamp is a whole number.
   */
  private int readNumber(byte[] content, int from, PathNode node) {
    long number = 0;
    int at = from;
    while (at < content.length && content[at] >= '0' && content[at] <= '9') {
      number = number * 10 + (content[at] - '0');
      at++;
    }
    int digits = at - from;
    boolean isZeroLeading = digits > 1 && content[from] == '0';
    if (digits == 0
        || digits > Decimals.MAX_DIGITS
        || isZeroLeading
        || byteAt(content, at) == '.') {
      return node.acceptsFraction() ? readFraction(content, from, node) : NOT_PLAIN;
    }
    fields.enter(node);
    fields.setNumber(node.slot(), number, digits);
    return at;
  }

  /** Reads a number with a sign or a fraction, or one of too many digits, as a text. */
  private int readFraction(byte[] content, int from, PathNode node) {
    int end = valueEnd(content, from);
    if (end != NOT_PLAIN) {
      fields.enter(node);
      fields.setAscii(node.slot(), 0, content, from, end);
    }
    return end;
  }

  /** Returns the offset after a name that no path contains. */
  private static int unknownNameEnd(byte[] content, int from) {
    int end = stringEnd(content, from);
    return end - from > MAX_NAME_BYTES ? NOT_PLAIN : end;
  }

  /**
   * Returns the offset after a string or a number, which may have a fraction; ignores its value.
   */
  private static int valueEnd(byte[] content, int from) {
    if (byteAt(content, from) == '"') {
      return stringEnd(content, from);
    }
    int start = byteAt(content, from) == '-' ? from + 1 : from;
    int end = wholeNumberEnd(content, start);
    if (end == NOT_PLAIN || byteAt(content, end) != '.') {
      return end;
    }
    int fractionEnd = digitsEnd(content, end + 1);
    return fractionEnd > end + 1 ? fractionEnd : NOT_PLAIN;
  }

  /**
   * Returns the offset after the closing quote of an ASCII string without escapes and control
   * characters.
   */
  private static int stringEnd(byte[] content, int from) {
    if (byteAt(content, from) != '"') {
      return NOT_PLAIN;
    }
    for (int at = from + 1; at < content.length; at++) {
      byte b = content[at];
      if (b == '"') {
        return at + 1;
      }
      // A byte that is not ASCII is negative.
      if (b < ' ' || b == '\\') {
        return NOT_PLAIN;
      }
    }
    return NOT_PLAIN;
  }

  /**
   * JSON allows no digit after a leading zero, so the number ends there and the caller finds an
   * invalid character.
   */
  private static int wholeNumberEnd(byte[] content, int from) {
    int end = byteAt(content, from) == '0' ? from + 1 : digitsEnd(content, from);
    return end > from ? end : NOT_PLAIN;
  }

  private static int digitsEnd(byte[] content, int from) {
    int at = from;
    while (at < content.length && content[at] >= '0' && content[at] <= '9') {
      at++;
    }
    return at;
  }

  /** Returns the offset of the next byte that is not JSON white space. */
  public static int blanksEnd(byte[] content, int from) {
    int at = from;
    while (at < content.length && isBlank(content[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte b) {
    return b <= ' ' && (b == ' ' || b == '\n' || b == '\r' || b == '\t');
  }

  /** Returns the byte at an offset; 0 after the end, since JSON contains no such byte. */
  public static byte byteAt(byte[] content, int at) {
    return at < content.length ? content[at] : 0;
  }
}
