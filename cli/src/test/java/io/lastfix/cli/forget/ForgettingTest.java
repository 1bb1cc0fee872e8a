package io.lastfix.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForgettingTest {
  @Test
  void withAPseudonymTheUsersOwnIdIsForgottenTooWhetherOrNotAnythingIsStoredUnderIt() {
    assertThat(Forgetting.names("pseudonym", "user")).containsExactly("pseudonym", "user");
  }

  @Test
  void withoutAPseudonymThereIsOneName() {
    assertThat(Forgetting.names("user", "user")).containsExactly("user");
  }
}
