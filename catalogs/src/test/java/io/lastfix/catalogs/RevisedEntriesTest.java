package io.lastfix.catalogs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.Revision;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The revisions that an import assigns. */
class RevisedEntriesTest {
  private static final long NOW = 1_795_176_000_000L;
  private static final long DAY = 86_400_000;

  @Test
  void anEntryGetsTheTimeOrTheNumberAfterThatOfWhatItReplaces() throws Exception {
    assertThat(numbers(replacing(-1), replacing(7), replacing(NOW), replacing(NOW + DAY - 1)))
        .containsExactly(NOW, NOW, NOW + 1, NOW + DAY);
  }

  @Test
  void anEntryThatNothingOfTodayCanReplaceHoldsUpNoOtherAndTheImportFailsAndSaysWhatToDo() {
    RevisedEntries revised = RevisedEntries.of(List.of(replacing(7), replacing(NOW + DAY)), NOW);

    assertThat(revised.entries()).hasSize(1);
    assertThatThrownBy(revised::requireAllReplaceable)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "1 of 2 entries were published. The others would have no effect (the first is cell 1-2-3-4)")
        .hasMessageContaining(
            "the published entry has revision 1795262400000" + " (2026-11-21T12:00:00Z)");
  }

  private static List<Long> numbers(CellEntry... entries) throws IOException {
    RevisedEntries revised = RevisedEntries.of(List.of(entries), NOW);
    revised.requireAllReplaceable();
    return revised.entries().stream().map(entry -> entry.revision().number()).toList();
  }

  private static CellEntry replacing(long number) {
    return new CellEntry(CellId.parse("1-2-3-4"), List.of(), Revision.OLDEST.withNumber(number));
  }
}
