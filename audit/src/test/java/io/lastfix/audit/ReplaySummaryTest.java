package io.lastfix.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplaySummaryTest {
  private static final ListedRejection ONE =
      new ListedRejection(
          "lastfix.location.json",
          0,
          42,
          "bad-value",
          "record 2: cell: expected mcc-mnc-area-cid",
          1,
          "lastfix.rejected, partition 1, offset 7");
  private static final ListedRejection WHOLE =
      new ListedRejection(
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
            "lastfix.location.json, partition 0, offset 42  bad-value"
                + "  record 2: cell: expected mcc-mnc-area-cid"
                + "  (lastfix.rejected, partition 1, offset 7)",
            "lastfix.location.json, partition 0, offset 43  malformed  3 records"
                + "  (lastfix.rejected, partition 1, offset 8)",
            "and 5 more",
            "Would send back 3 messages; 9 rejections read, 2 of them of a message that was"
                + " already selected");
  }

  @Test
  void whereNoListWasAskedForNothingIsNamed() {
    assertThat(summary(List.of()).toLines().get(0)).startsWith("Would send back 3 messages");
  }

  private static ReplaySummary summary(List<ListedRejection> listed) {
    return new ReplaySummary(
        true,
        9,
        Map.of("lastfix.location.json", Map.of("bad-value", 3L)),
        2,
        1,
        List.of("lastfix.location.json, partition 0, offset 5"),
        listed);
  }
}
