package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PseudonymsTest {
  private static final PseudonymKey KEY = new PseudonymKey("0123456789abcdef");

  /** By {@code printf 'USER' | openssl dgst -sha256 -mac HMAC -macopt key:0123456789abcdef}. */
  @Test
  void aPseudonymIsTheFirstHalfOfWhatOpensslComputes() {
    Pseudonyms pseudonyms = new Pseudonyms(KEY);

    assertThat(pseudonyms.of("350000000007919")).isEqualTo("35c1ba0a309818215a5c1213bc9be554");
    assertThat(pseudonyms.of("Zoë 山")).isEqualTo("d40f3e8c66e52799dea5ffc625b1c2bc");
    assertThat(pseudonyms.of("350000000007919"))
        .as("once more")
        .isEqualTo("35c1ba0a309818215a5c1213bc9be554");
  }

  @Test
  void withAnotherKeyAUserIsAnotherOne() {
    assertThat(new Pseudonyms(new PseudonymKey("0123456789abcdeF")).of("350000000007919"))
        .isNotEqualTo(new Pseudonyms(KEY).of("350000000007919"));
  }

  @Test
  void withoutAKeyUsersAreStoredUnderTheirOwnIds() {
    assertThat(UserNames.of(null).storedAs("somebody")).isEqualTo("somebody");
    assertThat(UserNames.of(KEY).storedAs("somebody"))
        .isEqualTo(new Pseudonyms(KEY).of("somebody"));
  }

  @Test
  void aKeyThatIsTooShortIsRefusedWithoutARepetition() {
    assertThatThrownBy(() -> new PseudonymKey("0123456789abcde"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected 16 bytes or more");
    assertThat(new PseudonymKey("äääääääää")).as("18 bytes").isNotNull();
  }

  @Test
  void aKeyIsNotPrinted() {
    assertThat(KEY).hasToString("PseudonymKey[***]");
  }

  /** By {@code printf 350000000007919 | sha256sum}. */
  @Test
  void aUsersHashIsTheFirstHalfOfWhatSha256sumComputes() {
    UserHash hash = UserHash.of("350000000007919");

    assertThat(hash).hasToString("b8ec8ee1f8d6cdb58f5d6ca48e880101");
    assertThat(UserHash.of(hash.toBson())).isEqualTo(hash);
  }
}
