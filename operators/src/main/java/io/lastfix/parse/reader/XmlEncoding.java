package io.lastfix.parse.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.RejectionReason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts XML to UTF-8, the only encoding that Aalto reads completely. With other encodings it
 * throws a NullPointerException after the last element.
 *
 * <p>The encoding is detected as in XML 1.0, appendix F: by a byte order mark (UTF-8, UTF-16,
 * UTF-32), else by zeros beside the first {@code <} (UTF-16, UTF-32), else by the declaration. A
 * declaration may name any encoding that Java supports and that writes the declaration as ASCII
 * does. A mark or zeros take precedence over the declaration, since a tool that converts a file may
 * leave the declaration unchanged.
 */
public final class XmlEncoding {
  /** Maximum length of a declaration; a usual one has 40 bytes. */
  private static final int MAX_DECLARATION_BYTES = 200;

  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

  /**
   * Replaces removed bytes. If they were deleted, a second mark or declaration would take the place
   * of the first.
   */
  private static final byte BLANK = ' ';

  private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private static final byte[] DECLARATION_START = "<?xml".getBytes(UTF_8);

  /** The most frequent declaration, recognised without parsing. */
  private static final byte[] USUAL_DECLARATION =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".getBytes(UTF_8);

  private static final Pattern ENCODING =
      Pattern.compile("\\bencoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");

  private XmlEncoding() {}

  /**
   * Returns the document in UTF-8, with a blank in place of byte order mark and declaration.
   * Returns the same array if it is UTF-8 already and its declaration does not contradict that.
   *
   * @throws MalformedMessageException if the encoding is unknown, the bytes are invalid in it, or
   *     the declaration is too long
   */
  public static byte[] toUtf8(byte[] content) throws MalformedMessageException {
    if (startsWith(content, 0, USUAL_DECLARATION)) {
      return content;
    }
    if (startsWith(content, 0, UTF_8_MARK)) {
      return withoutMark(content);
    }
    Charset charset = ofMarkOrZeros(content);
    if (charset == null && isDeclared(content, 0)) {
      charset = declared(content, declarationEnd(content, 0));
    }
    return charset == null ? content : decoded(content, charset);
  }

  /** Aalto would use the declaration's encoding and ignore the mark's. */
  private static byte[] withoutMark(byte[] content) throws MalformedMessageException {
    if (!isDeclared(content, UTF_8_MARK.length)) {
      return content;
    }
    int end = declarationEnd(content, UTF_8_MARK.length);
    byte[] rest = Arrays.copyOfRange(content, end - 1, content.length);
    rest[0] = BLANK;
    return rest;
  }

  private static byte[] decoded(byte[] content, Charset charset) throws MalformedMessageException {
    String text;
    try {
      text = charset.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("not well-formed XML: not all of it is " + charset, e);
    }
    int start = text.startsWith("\ufeff") ? 1 : 0;
    boolean isDeclared =
        text.startsWith("<?xml", start)
            && text.length() > start + DECLARATION_START.length
            && isBlank(text.charAt(start + DECLARATION_START.length));
    int end = isDeclared ? text.indexOf("?>", start) : -1;
    return ((char) BLANK + text.substring(end < 0 ? start : end + 2)).getBytes(UTF_8);
  }

  /** Returns null if there is neither: then the first bytes are as in ASCII. */
  private static @Nullable Charset ofMarkOrZeros(byte[] content) {
    if (content.length < Integer.BYTES) {
      return null;
    }
    int first = ByteBuffer.wrap(content).getInt();
    if (first == 0x0000feff || first == '<') {
      return UTF_32BE;
    }
    if (first == 0xfffe0000 || first == '<' << 24) {
      return UTF_32LE;
    }
    int half = first >>> 16;
    if (half == 0xfeff || half == '<') {
      return UTF_16BE;
    }
    return half == 0xfffe || half == '<' << 8 ? UTF_16LE : null;
  }

  /** Excludes {@code <?xml-stylesheet}, which is no declaration. */
  private static boolean isDeclared(byte[] content, int from) {
    int behind = from + DECLARATION_START.length;
    return startsWith(content, from, DECLARATION_START)
        && content.length > behind
        && isBlank((char) content[behind]);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  private static boolean startsWith(byte[] content, int from, byte[] start) {
    return content.length - from >= start.length
        && Arrays.equals(content, from, from + start.length, start, 0, start.length);
  }

  /** Returns the offset after a declaration. */
  private static int declarationEnd(byte[] content, int from) throws MalformedMessageException {
    int last = Math.min(content.length, from + MAX_DECLARATION_BYTES) - 1;
    for (int at = from; at < last; at++) {
      if (content[at] == '?' && content[at + 1] == '>') {
        return at + 2;
      }
    }
    throw new MalformedMessageException(
        RejectionReason.MALFORMED,
        "not well-formed XML, or not supported: its declaration does not end within "
            + MAX_DECLARATION_BYTES
            + " bytes");
  }

  /** Returns null for UTF-8, for its subset US-ASCII, and if no encoding is named. */
  private static @Nullable Charset declared(byte[] content, int end)
      throws MalformedMessageException {
    Matcher encoding = ENCODING.matcher(new String(content, 0, end, ISO_8859_1));
    if (!encoding.find()) {
      return null;
    }
    String name = encoding.group(1);
    if (name.equalsIgnoreCase("UTF-8") || name.equalsIgnoreCase("US-ASCII")) {
      return null;
    }
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(
          "not well-formed XML: its declaration names an unknown encoding", e);
    }
  }
}
