package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UserPatternsTest {
  @ParameterizedTest
  @CsvSource({
    "35, 35, true",
    "35, 350, false",
    "35, 3, false",
    "35*, 35, true",
    "35*, 350000000007919, true",
    "35*, 3, false",
    "35*, 135, false",
    "*, anybody, true",
    "owntracks/jane/*, owntracks/jane/phone, true",
    "owntracks/jane/*, owntracks/janet/phone, false",
    "ä€😀*, ä€😀x, true",
    "a b*, b, true",
    "a b*, ab, false",
    "a b*, a, true"
  })
  void aPatternIsAUserOrTheBeginningOfUsers(String patterns, String user, boolean expected) {
    UserPatterns read = UserPatterns.ofHeader(patterns);

    assertThat(read.matches(user)).isEqualTo(expected);
    // The same in the midst of a longer text.
    assertThat(read.matches(("x" + user + "y").toCharArray(), 1, 1 + user.length()))
        .isEqualTo(expected);
    assertThat(new UserPatterns(read.list())).isEqualTo(read).hasToString(patterns);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a  b", " a", "a ", "*a", "a*b", "**", "a\tb", "a\u00a0b", "a\u2003b", "\n*"})
  void aHeaderThatIsNoListOfPatternsAllowsNobody(String header) {
    UserPatterns read = UserPatterns.ofHeader(header);

    assertThat(read).isEqualTo(UserPatterns.NONE);
    assertThat(read.isEmpty()).isTrue();
    assertThat(read.matches("a")).isFalse();
    assertThat(read.matches("")).isFalse();
  }

  @Test
  void patternsThatAreInvalidOrTooLongAreRefusedWithTheForm() {
    assertThatThrownBy(() -> new UserPatterns(List.of("a b")))
        .hasMessage(
            "speaks-for: expected a user, or the beginning of users and '*', such as 35000*;"
                + " without blanks, and with no other '*'");
    String half = "a".repeat(UserPatterns.MAX_LENGTH / 2);
    assertThat(new UserPatterns(List.of(half, half.substring(1))).list()).hasSize(2);
    assertThatThrownBy(() -> new UserPatterns(List.of(half, half)))
        .hasMessage(
            "speaks-for: expected at most 1024 characters in all, found 1025: choose users with a"
                + " common beginning");
    assertThat(UserPatterns.ofHeader(half + " " + half)).isEqualTo(UserPatterns.NONE);
  }

  @Test
  void anAbsentHeaderAllowsNobody() {
    assertThat(UserPatterns.ofHeader(null)).isEqualTo(UserPatterns.NONE);
  }
}
