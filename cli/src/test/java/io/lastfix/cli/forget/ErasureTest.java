package io.lastfix.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErasureTest {
  @Test
  void bothCollectionsOfOneDatabaseAreCountedByOneConnectionToEachShard() {
    LocationJobConfig config = LocationJobConfig.load(null, List.of(), variable -> null);
    MongoOptions history = config.historyMongo();

    assertThat(Erasure.shareDatabase(history, config.lastKnownLocationMongo())).isTrue();
    Duration other = Duration.ofSeconds(77);
    assertThat(Erasure.shareDatabase(history, history.withTimeouts(other, other, other))).isTrue();
    assertThat(Erasure.shareDatabase(history, history.withUri("mongodb://elsewhere"))).isFalse();
  }

  @Test
  void withAPseudonymTheUsersOwnIdIsForgottenTooWhetherOrNotAnythingIsStoredUnderIt() {
    assertThat(Erasure.names("pseudonym", "user")).containsExactly("pseudonym", "user");
  }

  @Test
  void withoutAPseudonymThereIsOneName() {
    assertThat(Erasure.names("user", "user")).containsExactly("user");
  }
}
