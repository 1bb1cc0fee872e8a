package io.lastfix.store.query.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.store.counts.NumberKind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultJsonTest {
  private static final Completeness SOME =
      new Completeness(1360, 2, 1300, 7, Optional.of(Instant.parse("2026-11-20T12:00:00Z")));

  @Test
  void numbersSayHowCompleteAndHowNewTheyAre() {
    ObjectNode about = JsonNodeFactory.instance.objectNode();

    assertThat(ResultJson.complete(about, true, SOME, true))
        .hasToString(
            "{\"more\":true,\"results\":1360,\"open\":2,\"batch\":1300,\"withheld\":7,"
                + "\"newest\":\"2026-11-20T12:00:00Z\"}");
  }

  @Test
  void numbersOfSingleUsersAreNeverWithheld() {
    ObjectNode about = JsonNodeFactory.instance.objectNode();

    assertThat(ResultJson.complete(about, false, SOME, false).has("withheld")).isFalse();
  }

  @Test
  void placesAreNamedByTheFieldsOfTheKind() {
    assertThat(ResultJson.places(NumberKind.DENSITY)).containsExactly("k");
    assertThat(ResultJson.places(NumberKind.FLOWS)).containsExactly("from", "to");
    assertThat(ResultJson.places(NumberKind.STAYS)).containsExactly("k");
    assertThat(ResultJson.places(NumberKind.TRIPS)).containsExactly("from", "to");
  }
}
