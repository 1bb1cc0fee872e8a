package io.lastfix.audit.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads query strings, one record in each. A message that begins with a brace or a bracket is JSON.
 */
final class FormTreeReader extends TreeReader {
  private static final int HEXADECIMAL = 16;

  /** What only JSON in an encoding of Unicode begins with, in Latin-1. */
  private static final List<String> MARKS =
      List.of("\0", "\u00ef\u00bb\u00bf", "\u00fe\u00ff", "\u00ff\u00fe");

  private final JsonTreeReader json;
  private final Map<String, Expected> wanted;

  FormTreeReader(Profile profile, DecoderLimits limits) {
    super(profile, limits);
    json = new JsonTreeReader(profile, limits);
    wanted = Expected.of(profile).members();
  }

  /** The values of each name that the profile has a path for. */
  private record Pairs(Map<String, List<String>> values) implements RecordTree {
    @Override
    public Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
      return path.elements().size() == 1
          ? values.getOrDefault(path.elements().get(0), List.of()).stream()
              .map(String::trim)
              .filter(text -> !text.isEmpty())
              .findFirst()
          : Optional.empty();
    }

    @Override
    public boolean isRepeated(FieldPath path) {
      return path.elements().size() == 1
          && values.getOrDefault(path.elements().get(0), List.of()).stream()
                  .filter(value -> !value.isEmpty())
                  .count()
              > 1;
    }

    @Override
    public boolean isNoText(FieldPath path, int maxTextLength) {
      return path.elements().size() == 1
          && values.getOrDefault(path.elements().get(0), List.of()).stream()
              .anyMatch(value -> RecordTree.isLonger(value, maxTextLength));
    }
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

  private Pairs pairs(String text) throws UnreadableException {
    int mark = text.indexOf('?');
    int firstValue = text.indexOf('=');
    String query =
        mark >= 0 && (firstValue < 0 || mark < firstValue) ? text.substring(mark + 1) : text;
    Map<String, List<String>> values = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = new String(decoded(equals < 0 ? pair : pair.substring(0, equals)), UTF_8);
      byte[] value = decoded(equals < 0 ? "" : pair.substring(equals + 1));
      Expected expected = wanted.get(name);
      if (expected != null && !expected.hasMembers()) {
        values.computeIfAbsent(name, absent -> new ArrayList<>(1)).add(utf8(value));
      }
    }
    return new Pairs(values);
  }

  /** The bytes behind the escapes. */
  private static byte[] decoded(String text) throws UnreadableException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c <= ' ' || c == 0x7f) {
        throw new UnreadableException("expected a printable character");
      }
      if (c == '%') {
        int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), HEXADECIMAL) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(at + 2), HEXADECIMAL);
        if (low < 0) {
          throw new UnreadableException("expected two hexadecimal digits");
        }
        bytes.write(HEXADECIMAL * high + low);
        at += 2;
      } else {
        bytes.write(c == '+' ? ' ' : c);
      }
    }
    return bytes.toByteArray();
  }

  private static String utf8(byte[] bytes) throws UnreadableException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableException("expected UTF-8", e);
    }
  }
}
