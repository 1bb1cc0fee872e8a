package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.connect.MongoOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UserErasureTest {
  @Test
  void bothCollectionsOfOneDatabaseAreCountedByOneConnectionToEachShard() {
    MongoOptions history = MongoOptions.defaults("mongodb://localhost:27017", "lastfix");

    assertThat(UserErasure.shareDatabase(history, history.withApplicationName("other"))).isTrue();
    Duration other = Duration.ofSeconds(77);
    assertThat(UserErasure.shareDatabase(history, history.withTimeouts(other, other, other)))
        .isTrue();
    assertThat(UserErasure.shareDatabase(history, history.withUri("mongodb://elsewhere")))
        .isFalse();
    assertThat(UserErasure.shareDatabase(history, history.withDatabase("other"))).isFalse();
  }

  @Test
  void withAPseudonymTheUsersOwnIdIsForgottenTooWhetherOrNotAnythingIsStoredUnderIt() {
    assertThat(UserErasure.names("pseudonym", "user")).containsExactly("pseudonym", "user");
  }

  @Test
  void withoutAPseudonymThereIsOneName() {
    assertThat(UserErasure.names("user", "user")).containsExactly("user");
  }
}
