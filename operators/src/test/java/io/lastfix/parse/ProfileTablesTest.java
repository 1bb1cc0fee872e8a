package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.ShippedProfiles;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages in config/profiles/README.md yield what the tables there say. */
class ProfileTablesTest {
  static List<ProfilePage.Row> rows() {
    return ProfilePage.shipped().rows();
  }

  @Test
  void thePageListsEachProfileThatShips() {
    assertThat(ProfilePage.shipped().profiles())
        .containsExactlyInAnyOrderElementsOf(ShippedProfiles.names());
  }

  @Test
  void eachProfileHasATable() {
    assertThat(rows().stream().map(ProfilePage.Row::profile).distinct())
        .containsExactlyInAnyOrderElementsOf(ShippedProfiles.names());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aMessageYieldsWhatTheTableSays(ProfilePage.Row row) {
    assertThat(row.yielded()).isEqualTo(row.yields());
  }
}
