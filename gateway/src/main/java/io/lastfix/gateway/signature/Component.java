package io.lastfix.gateway.signature;

import java.util.List;
import java.util.Locale;

/** The values of covered components, RFC 9421 section 2. */
final class Component {
  static final String METHOD = "@method";

  /** Not covered by devices; it is in the test vectors of RFC 9421. */
  static final String AUTHORITY = "@authority";

  static final String PATH = "@path";
  static final String QUERY = "@query";
  static final String CONTENT_TYPE = "content-type";
  static final String CONTENT_ENCODING = "content-encoding";
  static final String CONTENT_DIGEST = "content-digest";

  private static final char FIRST_PRINTABLE = ' ';
  private static final char LAST_PRINTABLE = '~';

  private Component() {}

  /** The value in the signature base. */
  static String value(String name, RequestHead head) throws SignatureRefusedException {
    String value =
        switch (name) {
          case METHOD -> head.method();
          case PATH -> head.path().isEmpty() ? "/" : head.path();
          case QUERY -> head.query() == null ? "?" : "?" + head.query();
          case AUTHORITY -> single("host", head).toLowerCase(Locale.ROOT);
          case CONTENT_TYPE, CONTENT_ENCODING, CONTENT_DIGEST -> single(name, head);
          default -> String.join(", ", present(name, head).stream().map(Component::strip).toList());
        };
    return requirePrintable(name, value);
  }

  /** The value of a header that has to be there once. */
  static String single(String name, RequestHead head) throws SignatureRefusedException {
    List<String> values = present(name, head);
    if (values.size() > 1) {
      throw new SignatureRefusedException(
          RefusalReason.REPEATED_HEADER,
          "The header %s is there %d times: send it once".formatted(name, values.size()));
    }
    return requirePrintable(name, strip(values.get(0)));
  }

  private static List<String> present(String name, RequestHead head)
      throws SignatureRefusedException {
    List<String> values = head.values(name);
    if (values.isEmpty()) {
      throw new SignatureRefusedException(
          RefusalReason.MISSING_COMPONENT,
          "The signature covers %s, but the request has no such header: send it, or do not cover it"
              .formatted(name));
    }
    return values;
  }

  /** Without blanks and tabs around it. */
  private static String strip(String value) {
    int from = 0;
    int to = value.length();
    while (from < to && isBlank(value.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(value.charAt(to - 1))) {
      to--;
    }
    return value.substring(from, to);
  }

  private static boolean isBlank(char character) {
    return character == ' ' || character == '\t';
  }

  /** A line break in a value would let one request have the signature base of another. */
  private static String requirePrintable(String name, String value)
      throws SignatureRefusedException {
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      if (character < FIRST_PRINTABLE || character > LAST_PRINTABLE) {
        throw new SignatureRefusedException(
            RefusalReason.UNPRINTABLE,
            "%s has a character at index %d that is not printable ASCII: send it on one line, encoded"
                .formatted(name, i));
      }
    }
    return value;
  }
}
