package io.lastfix.operate.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.Ledger;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerComparisonTest {
  private static Ledger ledger(long checkpoint, long in, long unaccounted) {
    return new Ledger(checkpoint, in, in - unaccounted, 0, 0, 0, 0, 0, unaccounted);
  }

  private static LedgerComparison after(Ledger former) {
    return new LedgerComparison(LedgerComparison.numbers(former));
  }

  @Test
  void aLedgerThatContinuesWithNothingUnaccountedIsBalanced() {
    LedgerComparison comparison = after(ledger(7, 1000, 0));
    Optional<Ledger> after = Optional.of(ledger(9, 1200, 0));

    assertThat(comparison.isBalanced(after)).isTrue();
    assertThat(comparison.lines(after))
        .containsExactly(
            "ledger before: in 1,000; unaccounted 0, at checkpoint 7",
            "ledger after: in 1,200 = stored 1,200 + duplicates 0 + erased 0 + rejected 0 + not records 0 + waiting 0; unaccounted 0, at checkpoint 9");
  }

  @Test
  void lostRecordsAndThoseCountedTwiceAreNotBalanced() {
    LedgerComparison comparison = after(ledger(7, 1000, 0));

    assertThat(comparison.isBalanced(Optional.of(ledger(9, 1200, 3)))).isFalse();
    assertThat(comparison.isBalanced(Optional.of(ledger(9, 1200, -3)))).isFalse();
  }

  @Test
  void whatWasUnaccountedBeforeIsNotTheUpgradesLoss() {
    assertThat(after(ledger(7, 1000, 2)).isBalanced(Optional.of(ledger(9, 1200, 2)))).isTrue();
  }

  @Test
  void aLedgerThatHasBegunAgainProvesNothing() {
    LedgerComparison comparison = after(ledger(7, 1000, 0));
    Optional<Ledger> after = Optional.of(ledger(9, 10, 0));

    assertThat(comparison.isBalanced(after)).isFalse();
    assertThat(comparison.lines(after)).last().asString().endsWith("because it has begun again");
  }

  @Test
  void withoutALedgerBeforeOrAfterNothingIsProved() {
    LedgerComparison comparison = new LedgerComparison(Map.of("offset of a-0", 5L));
    assertThat(comparison.isPossible()).isFalse();
    assertThat(comparison.isBalanced(Optional.of(ledger(9, 10, 0)))).isFalse();
    assertThat(comparison.lines(Optional.empty()))
        .singleElement()
        .asString()
        .contains("former job");

    LedgerComparison withFormer = after(ledger(7, 1000, 0));
    assertThat(withFormer.isBalanced(Optional.empty())).isFalse();
    assertThat(withFormer.lines(Optional.empty()))
        .last()
        .asString()
        .contains("new job reports none");
  }
}
