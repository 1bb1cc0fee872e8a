package io.lastfix.parse;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.reader.MalformedMessageException;
import io.lastfix.parse.reader.PathNode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.util.Arrays;

/**
 * Decodes query strings ({@code application/x-www-form-urlencoded}): one record for each message,
 * {@code name=value} pairs joined by {@code &}. A message that starts with a brace or a bracket is
 * JSON, which a query string cannot start with.
 *
 * <p>Strict: no blanks and control characters, each {@code %} with two hexadecimal digits, what a
 * path reads in UTF-8, raw or escaped. A {@code +} is a blank. The part up to a {@code ?}, which a
 * whole URL has, is skipped if it comes before the first {@code =}; so are line ends after the last
 * pair. Names without a path are skipped, and so are empty values. Memory: the longest value of the
 * message.
 */
final class FormRecordDecoder extends JsonRecordDecoder {
  private static final byte[] NOTHING = {};
  private static final int MAX_KEPT_BYTES = 4 * 1024;

  private final CharsetDecoder utf8 = UTF_8.newDecoder();
  private byte[] decoded = NOTHING;
  private int decodedLength;

  FormRecordDecoder(Profile profile, DecoderLimits limits, RecordAssembler assembler) {
    super(profile, limits, assembler);
  }

  @Override
  void decodeRecords(byte[] content) throws MalformedMessageException {
    if (isJson(content)) {
      super.decodeRecords(content);
      return;
    }
    outcome.found();
    try {
      readPairs(content);
    } finally {
      // Frees the memory of a long value, also one of a malformed message.
      if (decoded.length > MAX_KEPT_BYTES) {
        decoded = NOTHING;
      }
    }
    endRecord();
  }

  /** A byte order mark or a zero also means JSON: a query string has neither. */
  private static boolean isJson(byte[] content) {
    for (int i = 0; i < content.length; i++) {
      byte b = content[i];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b == '{' || b == '[' || b == 0 || isMark(content, i);
      }
    }
    return false;
  }

  /** Returns true if the byte order mark of UTF-8 or UTF-16 is there. Other bytes may be names. */
  private static boolean isMark(byte[] content, int at) {
    int left = content.length - at;
    int first = left > 1 ? (content[at] & 0xff) << 8 | (content[at + 1] & 0xff) : 0;
    return first == 0xfeff
        || first == 0xfffe
        || (first == 0xefbb && left > 2 && (content[at + 2] & 0xff) == 0xbf);
  }

  private void readPairs(byte[] content) throws MalformedMessageException {
    fields.clear();
    int end = content.length;
    while (end > 0 && (content[end - 1] == '\n' || content[end - 1] == '\r')) {
      end--;
    }
    int at = endOfAddress(content, end);
    while (at < end) {
      int pairEnd = indexOf(content, '&', at, end);
      int equals = indexOf(content, '=', at, pairEnd);
      readPair(content, at, equals, pairEnd);
      at = pairEnd + 1;
    }
  }

  /** Returns the size of the buffer that is kept between messages. */
  int keptBytes() {
    return decoded.length;
  }

  /** Returns the offset after the question mark of a URL; 0 if there is none. */
  private static int endOfAddress(byte[] content, int end) {
    int mark = indexOf(content, '?', 0, indexOf(content, '=', 0, end));
    return mark < end && content[mark] == '?' ? mark + 1 : 0;
  }

  /** Returns the offset of a byte; the end if it is absent. */
  private static int indexOf(byte[] content, char wanted, int from, int end) {
    int at = from;
    while (at < end && content[at] != wanted) {
      at++;
    }
    return at;
  }

  private void readPair(byte[] content, int from, int equals, int end)
      throws MalformedMessageException {
    decode(content, from, equals);
    PathNode node = recordNode.childNamed(decoded, 0, decodedLength);
    decode(content, Math.min(equals + 1, end), end);
    if (node == null || !node.hasSlot() || decodedLength == 0) {
      return;
    }
    fields.enter(node);
    if (fields.failure() == null) {
      CharBuffer value = text(equals + 1);
      fields.set(node.slot(), value.array(), value.arrayOffset(), value.length());
    }
  }

  private void decode(byte[] content, int from, int end) throws MalformedMessageException {
    if (decoded.length < end - from) {
      decoded =
          Arrays.copyOf(decoded, Math.max(end - from, Math.min(MAX_KEPT_BYTES, 2 * (end - from))));
    }
    int length = 0;
    int at = from;
    while (at < end) {
      byte b = content[at];
      if ((b >= 0 && b <= ' ') || b == Byte.MAX_VALUE) {
        throw malformed("expected a printable character", at);
      }
      if (b == '%') {
        int high = at + 2 < end ? hexadecimal(content[at + 1]) : -1;
        int low = at + 2 < end ? hexadecimal(content[at + 2]) : -1;
        if (high < 0 || low < 0) {
          throw malformed("expected two hexadecimal digits", at);
        }
        b = (byte) (high << 4 | low);
        at += 2;
      } else if (b == '+') {
        b = ' ';
      }
      decoded[length++] = b;
      at++;
    }
    decodedLength = length;
  }

  private static int hexadecimal(byte b) {
    return b < 0 ? -1 : Character.digit(b, 16);
  }

  private CharBuffer text(int offset) throws MalformedMessageException {
    try {
      return utf8.decode(ByteBuffer.wrap(decoded, 0, decodedLength));
    } catch (CharacterCodingException e) {
      throw malformed("expected UTF-8", offset);
    }
  }

  private static MalformedMessageException malformed(String what, int offset) {
    return new MalformedMessageException(
        RejectionReason.MALFORMED,
        "not a well-formed query string: " + what + " at byte " + offset);
  }
}
