package io.lastfix.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The users that devices of a group may send records of. A pattern is a user, or the beginning of
 * users with an asterisk behind it: {@code 350000000007919}, {@code 35000*}, {@code *}.
 *
 * <p>They are part of each message of these devices, as {@link SenderHeaders#SPEAKS_FOR}, so
 * together they are at most {@value #MAX_LENGTH} characters, with a blank between two.
 *
 * @param list the patterns in their order
 */
public record UserPatterns(List<String> list) {
  /** No user. */
  public static final UserPatterns NONE = new UserPatterns(List.of());

  /** The longest text of all patterns together. */
  public static final int MAX_LENGTH = 1_024;

  private static final char ANY_END = '*';

  /**
   * Checks the patterns.
   *
   * @throws IllegalArgumentException if one is invalid, or if all are too long; says what is
   *     expected
   */
  public UserPatterns {
    list = List.copyOf(list);
    if (!list.stream().allMatch(UserPatterns::isPattern)) {
      throw new IllegalArgumentException(
          "speaks-for: expected a user, or the beginning of users and '*', such as 35000*;"
              + " without blanks, and with no other '*'");
    }
    int length = String.join(" ", list).length();
    if (length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "speaks-for: expected at most %d characters in all, found %d: choose users with a common beginning"
              .formatted(MAX_LENGTH, length));
    }
  }

  /** Returns the patterns of a header's text; none if the text is absent or invalid. */
  public static UserPatterns ofHeader(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    try {
      return new UserPatterns(List.of(text.split(" ", -1)));
    } catch (IllegalArgumentException e) {
      // No gateway wrote it, so it allows nothing.
      return NONE;
    }
  }

  /** Returns whether the text is one valid pattern. */
  public static boolean isPattern(String text) {
    int last = text.length() - 1;
    for (int i = 0; i <= last; i++) {
      char c = text.charAt(i);
      boolean isMisplaced = c == ANY_END && i < last;
      if (isMisplaced
          || Character.isISOControl(c)
          || Character.isWhitespace(c)
          || Character.isSpaceChar(c)) {
        return false;
      }
    }
    return last >= 0;
  }

  /** Returns whether a user is one of these. */
  public boolean matches(String user) {
    return matches(user.toCharArray(), 0, user.length());
  }

  /** Returns whether the user that stands at that place of a text is one of these. */
  public boolean matches(char[] text, int from, int to) {
    // By index: an iterator would be an object for each record.
    for (int i = 0; i < list.size(); i++) {
      if (matches(list.get(i), text, from, to)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(String pattern, char[] text, int from, int to) {
    int last = pattern.length() - 1;
    boolean isBeginning = pattern.charAt(last) == ANY_END;
    int compared = isBeginning ? last : last + 1;
    boolean fits = isBeginning ? to - from >= compared : to - from == compared;
    for (int i = 0; fits && i < compared; i++) {
      fits = pattern.charAt(i) == text[from + i];
    }
    return fits;
  }

  /** Returns whether there is none. */
  public boolean isEmpty() {
    return list.isEmpty();
  }

  /** Returns the header's text. */
  @Override
  public String toString() {
    return String.join(" ", list);
  }
}
