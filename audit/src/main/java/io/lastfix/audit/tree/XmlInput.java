package io.lastfix.audit.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.xml.sax.InputSource;

/**
 * XML prepared for the JDK's parser. To find the encoding, the job uses a byte order mark, or zeros
 * beside the first {@code <}, before a declaration; the JDK's parser does not. So this class
 * decodes content that begins in such a way, or that declares another encoding than UTF-8, and
 * blanks its mark and declaration.
 */
final class XmlInput {
  private static final Charset UTF_32BE = Charset.forName("UTF-32BE");
  private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

  /** UTF-32 first, because UTF-16's marks are prefixes of its marks. */
  private static final List<Start> STARTS =
      List.of(
          new Start("\u00ef\u00bb\u00bf", UTF_8),
          new Start("\0\0\u00fe\u00ff", UTF_32BE),
          new Start("\u00ff\u00fe\0\0", UTF_32LE),
          new Start("\0\0\0<", UTF_32BE),
          new Start("<\0\0\0", UTF_32LE),
          new Start("\u00fe\u00ff", UTF_16BE),
          new Start("\u00ff\u00fe", UTF_16LE),
          new Start("\0<", UTF_16BE),
          new Start("<\0", UTF_16LE));

  /** The longest prefix with a declaration's end; a longer declaration is left to the parser. */
  private static final int LONGEST_START = 1_000;

  private static final Pattern DECLARATION =
      Pattern.compile("\ufeff?<\\?xml[ \t\r\n].*?\\?>", Pattern.DOTALL);
  private static final Pattern ENCODING = Pattern.compile("encoding\\s*=\\s*[\"']([\\w.-]+)");

  private XmlInput() {}

  /**
   * A mark of a document's encoding.
   *
   * @param bytes its first bytes, each as one character
   */
  private record Start(String bytes, Charset charset) {}

  static InputSource of(byte[] content) throws UnreadableException {
    String head = new String(content, 0, Math.min(content.length, LONGEST_START), ISO_8859_1);
    Optional<Charset> charset =
        STARTS.stream()
            .filter(start -> head.startsWith(start.bytes()))
            .map(Start::charset)
            .findFirst();
    if (charset.isEmpty()) {
      charset = declared(head);
    }
    return charset.isPresent()
        ? decoded(content, charset.get())
        : new InputSource(new ByteArrayInputStream(content));
  }

  /** Empty if the parser can read it as UTF-8. */
  private static Optional<Charset> declared(String head) throws UnreadableException {
    Matcher declaration = DECLARATION.matcher(head);
    if (!declaration.lookingAt()) {
      return Optional.empty();
    }
    Matcher encoding = ENCODING.matcher(declaration.group());
    if (!encoding.find() || encoding.group(1).equalsIgnoreCase("UTF-8")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Charset.forName(encoding.group(1)));
    } catch (IllegalArgumentException e) {
      throw new UnreadableException("not well-formed XML", e);
    }
  }

  private static InputSource decoded(byte[] content, Charset charset) throws UnreadableException {
    CharBuffer text;
    try {
      text = charset.newDecoder().decode(ByteBuffer.wrap(content));
    } catch (CharacterCodingException e) {
      throw new UnreadableException("not well-formed XML", e);
    }
    char[] characters = text.array();
    Matcher declaration =
        DECLARATION.matcher(text.subSequence(0, Math.min(text.length(), LONGEST_START)));
    if (declaration.lookingAt()) {
      Arrays.fill(characters, 0, declaration.end(), ' ');
    } else if (text.length() > 0 && characters[0] == '\ufeff') {
      characters[0] = ' ';
    }
    return new InputSource(new CharArrayReader(characters, 0, text.length()));
  }
}
