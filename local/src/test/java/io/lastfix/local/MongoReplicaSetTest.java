package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Locale;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class MongoReplicaSetTest {
  private static Document status(String... states) {
    return new Document(
        "members",
        Arrays.stream(states)
            .map(
                state ->
                    new Document("name", state.toLowerCase(Locale.ROOT) + ":1")
                        .append("stateStr", state))
            .toList());
  }

  @Test
  void aSetIsUpWhenEachMemberIsPrimaryOrSecondary() {
    assertThat(MongoReplicaSet.requireFollowing(status("PRIMARY", "SECONDARY", "SECONDARY")))
        .isTrue();
  }

  @Test
  void membersThatDoNotFollowYetAreNamed() {
    assertThatThrownBy(
            () -> MongoReplicaSet.requireFollowing(status("PRIMARY", "SECONDARY", "STARTUP2")))
        .hasMessage("member startup2:1 is in state STARTUP2");
  }
}
