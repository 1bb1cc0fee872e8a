package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.ShippedProfiles;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The messages in docs/reference/profiles.md yield what the tables there say. */
class ProfileTablesTest {
  private final ProfilePage page = ProfilePage.read();

  @Test
  void thePageOfProfilesListsEachThatShips() {
    assertThat(page.profiles()).containsExactlyInAnyOrderElementsOf(ShippedProfiles.names());
  }

  @Test
  void eachProfileHasATable() {
    assertThat(page.rows().stream().map(ProfilePage.Row::profile).distinct())
        .containsExactlyInAnyOrderElementsOf(ShippedProfiles.names());
  }

  @Test
  void aMessageYieldsWhatTheTableSays() {
    SoftAssertions.assertSoftly(
        softly ->
            page.rows()
                .forEach(
                    row -> softly.assertThat(row.yielded()).as("%s", row).isEqualTo(row.yields())));
  }
}
