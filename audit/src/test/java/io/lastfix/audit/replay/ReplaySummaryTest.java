package io.lastfix.audit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplaySummaryTest {
  private static final ListedRejection ONE =
      new ListedRejection(
          Instant.parse("2026-11-27T12:00:00Z"),
          "lastfix.location.json",
          0,
          42,
          "bad-value",
          "record 2: cell: expected mcc-mnc-area-cid",
          1,
          "lastfix.rejected, partition 1, offset 7");
  private static final ListedRejection WHOLE =
      new ListedRejection(
          Instant.parse("2026-11-27T12:00:00Z"),
          "lastfix.location.json",
          0,
          43,
          "malformed",
          "",
          3,
          "lastfix.rejected, partition 1, offset 8");

  @Test
  void rejectionsAreNamedOnePerLineAndThoseBeyondTheLimitAreCounted() {
    assertThat(summary(List.of(ONE, WHOLE)).toLines())
        .startsWith(
            "2026-11-27T12:00:00Z  lastfix.location.json, partition 0, offset 42  bad-value"
                + "  record 2: cell: expected mcc-mnc-area-cid"
                + "  (lastfix.rejected, partition 1, offset 7)",
            "2026-11-27T12:00:00Z  lastfix.location.json, partition 0, offset 43  malformed  3 records"
                + "  (lastfix.rejected, partition 1, offset 8)",
            "and 5 older ones",
            "Selected, and did not send back, 3 messages; 9 rejections read, 2 of them of a message that was"
                + " already selected");
  }

  @Test
  void whereNoListWasAskedForNothingIsNamed() {
    assertThat(summary(List.of()).toLines().get(0)).startsWith("Would send back 3 messages");
  }

  @Test
  void oneMessageIsSingular() {
    ReplaySummary one =
        new ReplaySummary(
            false,
            false,
            1,
            Map.of("lastfix.location.json", Map.of("bad-value", 1L)),
            0,
            0,
            List.of(),
            List.of());

    assertThat(one.toLines().get(0)).startsWith("Sent back 1 message; ");
  }

  @Test
  void inJsonARejectionHasItsTimeAsText() throws Exception {
    JsonNode json = new ObjectMapper().valueToTree(summary(List.of(ONE)));

    assertThat(json.path("listed").path(0).path("rejectedAt").asText())
        .isEqualTo("2026-11-27T12:00:00Z");
    assertThat(json.path("listed").path(0).has("at")).isFalse();
    assertThat(json.has("list")).isFalse();
  }

  private static ReplaySummary summary(List<ListedRejection> listed) {
    return new ReplaySummary(
        true,
        !listed.isEmpty(),
        9,
        Map.of("lastfix.location.json", Map.of("bad-value", 3L)),
        2,
        1,
        List.of("lastfix.location.json, partition 0, offset 5"),
        listed);
  }
}
