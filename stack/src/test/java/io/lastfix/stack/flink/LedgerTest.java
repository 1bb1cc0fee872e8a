package io.lastfix.stack.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerTest {
  @Test
  void aLedgerThatBalancesHasNoProblem() {
    assertThat(ledger(0).problem()).isEmpty();
  }

  @Test
  void theProblemSaysWhetherRecordsAreLostOrCountedTwice() {
    assertThat(ledger(1_234))
        .extracting(it -> it.problem().orElseThrow())
        .isEqualTo(
            "1,234 records are in no sum: they are lost. See The ledger in docs/OPERATING.md");
    assertThat(ledger(-2))
        .extracting(it -> it.problem().orElseThrow())
        .isEqualTo(
            "2 records are in the sums that did not come in: they are counted twice."
                + " See The ledger in docs/OPERATING.md");
  }

  private static Ledger ledger(long unaccounted) {
    return new Ledger(7, 30, 16, 8, 1, 2, 3 - unaccounted, unaccounted);
  }
}
