package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryViewTest {
  @Test
  void thePartitionsOfAllPeriodsAreShownTheNewestFirstAndNothingElse() {
    assertThat(
            HistoryView.members(
                "history",
                List.of(
                    "history_2026_09",
                    "history",
                    "last_known_location",
                    "history_2026_11_20",
                    "other_2026_11",
                    "history_2026_13",
                    "history_2026_11",
                    "history_2025_12")))
        .containsExactly(
            "history_2026_11_20", "history_2026_11", "history_2026_09", "history_2025_12");
  }

  @Test
  void ofMoreThan900TheNewestAreShown() {
    List<String> names = new ArrayList<>();
    for (int day = 0; day < 1_000; day++) {
      names.add(PartitionPeriod.DAY.collectionName("history", day * 86_400_000L));
    }
    Collections.shuffle(names, new java.util.Random(1));

    List<String> members = HistoryView.members("history", names);

    assertThat(members).hasSize(900).isSortedAccordingTo(Collections.reverseOrder());
    assertThat(members.get(0)).isEqualTo("history_1972_09_26");
    assertThat(members.get(899)).isEqualTo("history_1970_04_11");
  }

  @Test
  void aViewMayHaveNoPartitionsName() {
    assertThatThrownBy(() -> TestHistory.withView(TestHistory.MONTHS, "history_2026_11"))
        .hasMessage("view: expected a name that no partition can have, found \"history_2026_11\"");
    assertThat(TestHistory.withView(TestHistory.MONTHS, "").viewDescription()).isEmpty();
    assertThat(TestHistory.MONTHS.viewDescription().orElseThrow().name()).isEqualTo("history");
  }

  @Test
  void thatItLeavesOutTheOldestIsSaidFromTheFirstOnThatItHasNoRoomFor() {
    assertThat(HistoryView.leftOut("history", HistoryView.MOST_PARTITIONS)).isEmpty();
    assertThat(HistoryView.leftOut("history", HistoryView.MOST_PARTITIONS + 1).orElseThrow())
        .contains("history", "newest 900 of 901");
  }
}
