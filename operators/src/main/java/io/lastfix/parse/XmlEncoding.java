package io.lastfix.parse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes XML of any encoding UTF-8, since that is all that Aalto 1.3.3 reads to the end: it reads
 * other encodings, and then throws a NullPointerException behind the last element.
 *
 * <p>The encoding is told as XML 1.0, appendix F, tells it: by a byte order mark, by zeros beside
 * the first {@code <}, or by the declaration.
 */
final class XmlEncoding {
  /** The longest declaration that is looked for; a usual one has 40 bytes. */
  private static final int MAX_DECLARATION_BYTES = 200;

  private static final byte[] DECLARATION_START = "<?xml".getBytes(UTF_8);

  /** What nearly every declaration is: known without a look at its parts. */
  private static final byte[] USUAL_DECLARATION =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".getBytes(UTF_8);

  private static final Pattern ENCODING =
      Pattern.compile("encoding\\s*=\\s*[\"']([A-Za-z0-9._-]+)[\"']");

  private XmlEncoding() {}

  /**
   * The same document in UTF-8, without byte order mark and declaration; the very same bytes where
   * they are UTF-8 already.
   *
   * @throws MalformedMessageException if nobody knows the encoding, or the bytes are not in it
   */
  static byte[] toUtf8(byte[] content) throws MalformedMessageException {
    Charset charset = charset(content);
    if (charset == null) {
      return content;
    }
    String text;
    try {
      text = charset.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException(
          RejectionReason.MALFORMED, "not well-formed XML: not all of it is " + charset, e);
    }
    int start = text.startsWith("\ufeff") ? 1 : 0;
    int end = text.startsWith("<?xml", start) ? text.indexOf("?>", start) : -1;
    return text.substring(end < 0 ? start : end + 2).getBytes(UTF_8);
  }

  /** The encoding; null for UTF-8, and US-ASCII, which is a part of it. */
  private static @Nullable Charset charset(byte[] content) throws MalformedMessageException {
    if (content.length < 2) {
      return null;
    }
    if (startsWith(content, 0xfe, 0xff) || startsWith(content, 0, '<')) {
      return UTF_16BE;
    }
    if (startsWith(content, 0xff, 0xfe) || startsWith(content, '<', 0)) {
      return UTF_16LE;
    }
    boolean isDeclared =
        startsWith(content, DECLARATION_START) && !startsWith(content, USUAL_DECLARATION);
    return isDeclared ? declared(content) : null;
  }

  private static boolean startsWith(byte[] content, int first, int second) {
    return content[0] == (byte) first && content[1] == (byte) second;
  }

  private static boolean startsWith(byte[] content, byte[] start) {
    return content.length >= start.length
        && Arrays.equals(content, 0, start.length, start, 0, start.length);
  }

  private static @Nullable Charset declared(byte[] content) throws MalformedMessageException {
    String start =
        new String(content, 0, Math.min(content.length, MAX_DECLARATION_BYTES), ISO_8859_1);
    int end = start.indexOf("?>");
    Matcher encoding = ENCODING.matcher(start).region(0, Math.max(end, 0));
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
          RejectionReason.MALFORMED,
          "not well-formed XML: its declaration names no known encoding",
          e);
    }
  }
}
