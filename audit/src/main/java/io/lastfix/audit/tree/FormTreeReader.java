package io.lastfix.audit.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.tree.TreeValue.Kind;
import io.lastfix.audit.tree.TreeValue.Leaf;
import io.lastfix.audit.tree.TreeValue.Member;
import io.lastfix.audit.tree.TreeValue.Members;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.Profile;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads query strings, one record in each. A message that begins with a brace or a bracket is JSON.
 */
final class FormTreeReader extends TreeReader {
  /** What only JSON in an encoding of Unicode begins with, in Latin-1. */
  private static final Pattern NO_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

  private static final List<String> MARKS =
      List.of("\0", "\u00ef\u00bb\u00bf", "\u00fe\u00ff", "\u00ff\u00fe");

  private final JsonTreeReader json;
  private final Map<String, Expected> wanted;

  FormTreeReader(Profile profile, DecoderLimits limits) {
    super(profile, limits);
    json = new JsonTreeReader(profile, limits);
    wanted = Expected.of(profile).members();
  }

  @Override
  List<RecordTree> trees(byte[] content) throws UnreadableException {
    String text = new String(content, ISO_8859_1);
    String start = text.stripLeading();
    if (start.startsWith("{")
        || start.startsWith("[")
        || MARKS.stream().anyMatch(start::startsWith)) {
      return json.trees(content);
    }
    List<RecordTree> found = new ArrayList<>();
    add(pairs(text.replaceFirst("[\r\n]+$", "")), found);
    return found;
  }

  /** The values of each name that the profile has a path for. */
  private Members pairs(String text) throws UnreadableException {
    int mark = text.indexOf('?');
    int firstValue = text.indexOf('=');
    String query =
        mark >= 0 && (firstValue < 0 || mark < firstValue) ? text.substring(mark + 1) : text;
    List<Member> members = new ArrayList<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = new String(decoded(equals < 0 ? pair : pair.substring(0, equals)), UTF_8);
      byte[] value = decoded(equals < 0 ? "" : pair.substring(equals + 1));
      Expected expected = wanted.get(name);
      if (expected != null && !expected.hasMembers() && value.length > 0) {
        members.add(new Member(name, new Leaf(Kind.TEXT, utf8(value))));
      }
    }
    return new Members(members);
  }

  /** The bytes behind the escapes. */
  private static byte[] decoded(String text) throws UnreadableException {
    if (text.chars().anyMatch(c -> c <= ' ' || c == 0x7f)) {
      throw new UnreadableException("expected a printable character");
    }
    // URLDecoder takes a sign for a digit.
    if (NO_ESCAPE.matcher(text).find()) {
      throw new UnreadableException("expected two hexadecimal digits");
    }
    return URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1);
  }

  private static String utf8(byte[] bytes) throws UnreadableException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableException("expected UTF-8", e);
    }
  }
}
