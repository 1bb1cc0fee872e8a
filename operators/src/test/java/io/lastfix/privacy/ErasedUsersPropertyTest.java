package io.lastfix.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.history.TestRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Any erased users, and any records in any order. */
class ErasedUsersPropertyTest {
  /** Few users, so that records and erasures meet. */
  private static final int USERS = 5;

  @Property
  void nothingUpToTheForgottenMomentPassesAndEverythingElseDoes(
      @ForAll @Size(max = 8) List<@IntRange(max = USERS - 1) Integer> forgotten,
      @ForAll @LongRange(max = 20) long untilMillis,
      @ForAll @Size(max = 50) List<@IntRange(max = 200) Integer> records) {
    Map<UserHash, Long> until = new HashMap<>();
    forgotten.forEach(user -> until.put(UserHash.of("user-" + user), untilMillis));
    ErasedUsers list = new ErasedUsers(1, until);

    List<LocatedRecord> passed = new ArrayList<>();
    List<LocatedRecord> expected = new ArrayList<>();
    for (int record : records) {
      int user = record % USERS;
      LocatedRecord located =
          new LocatedRecord(
              "user-" + user,
              TestRecords.RECORD.cell(),
              record / USERS,
              TestRecords.RECORD.position());
      if (!list.covers(UserHash.of(located.user()), located.timestampMillis())) {
        passed.add(located);
      }
      if (!forgotten.contains(user) || record / USERS > untilMillis) {
        expected.add(located);
      }
    }

    assertThat(passed).isEqualTo(expected);
  }
}
