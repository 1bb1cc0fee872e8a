package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.PartitionAdmission.Refusal;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The periods for which records are admitted. */
class PartitionBudgetTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant OLD = Instant.parse("2009-01-01T12:00:00Z");
  private static final HistoryOptions DAYS = TestHistory.of(PartitionPeriod.DAY);

  private final FakeListing listing = new FakeListing();
  private long nanos = 1;

  /** Has the partitions that the test sets, and counts its calls. */
  private static final class FakeListing implements PartitionBudget.Listing {
    private List<HistoryPartition> partitions = List.of();
    private int asked;

    void has(HistoryOptions history, Instant... moments) {
      List<HistoryPartition> more = new ArrayList<>(partitions);
      for (Instant moment : moments) {
        more.add(history.partitionAt(moment));
      }
      partitions = more;
    }

    @Override
    public List<HistoryPartition> notOlderThan(Duration age) {
      asked++;
      return partitions;
    }

    @Override
    public void close() {}
  }

  private PartitionBudget budget(ProvisionMode mode, int newPerMinute, int inAll, int subtasks) {
    return new PartitionBudget(
        DAYS, mode, new PartitionLimits(newPerMinute, inAll), listing, subtasks, () -> nanos);
  }

  private PartitionBudget auto(int newPerMinute) {
    return budget(ProvisionMode.AUTO, newPerMinute, 1_000, 1);
  }

  private static Refusal askLater(PartitionBudget budget, Instant moment, Duration later) {
    return budget.refusal(moment.toEpochMilli(), NOW.plus(later).toEpochMilli());
  }

  private static Refusal ask(PartitionBudget budget, Instant moment) {
    return budget.refusal(moment.toEpochMilli(), NOW.toEpochMilli());
  }

  private static long admitted(PartitionBudget budget, int days) {
    return IntStream.range(0, days)
        .filter(day -> ask(budget, OLD.plus(day, ChronoUnit.DAYS)) == null)
        .count();
  }

  @Test
  void ordinaryTrafficNeverWaitsForAList() {
    PartitionBudget budget = auto(1);

    for (int hours = -1; hours <= 72; hours++) {
      assertThat(ask(budget, NOW.minus(hours, ChronoUnit.HOURS))).isNull();
    }

    assertThat(listing.asked).isZero();
  }

  @Test
  void aPartitionThatIsThereTakesRecordsOfAnyAge() {
    listing.has(DAYS, OLD);
    PartitionBudget budget = budget(ProvisionMode.CHECK, 1, 1, 1);

    assertThat(ask(budget, OLD)).isNull();
    assertThat(ask(budget, OLD.plus(11, ChronoUnit.HOURS))).isNull();
  }

  @Test
  void asManyNewOnesAsAreAllowedAreLetInAndAllOfTheirRecords() {
    PartitionBudget budget = auto(30);

    assertThat(admitted(budget, 2_000)).isEqualTo(30);
    assertThat(admitted(budget, 2_000)).isEqualTo(30);
    Refusal refusal = ask(budget, OLD.plus(1_999, ChronoUnit.DAYS));
    assertThat(refusal.reason()).isEqualTo(RejectionReason.TOO_MANY_PARTITIONS);
    assertThat(refusal.detail())
        .isEqualTo(
            "History has no partition for it, and a new one would be more than"
                + " history.max-new-partitions-per-minute (30); create the partition, and replay the message: lastfix"
                + " partitions create --from 2014-06-23T00:00:00Z --to 2014-06-24T00:00:00Z");
  }

  @Test
  void aMinuteLaterAsManyMoreAreLetInAndHalfAMinuteLaterHalfOfThem() {
    PartitionBudget budget = auto(30);
    assertThat(admitted(budget, 2_000)).isEqualTo(30);

    nanos += Duration.ofSeconds(30).toNanos();
    assertThat(admitted(budget, 2_000)).isEqualTo(30 + 15);
    nanos += Duration.ofHours(1).toNanos();
    assertThat(admitted(budget, 2_000)).isEqualTo(30 + 15 + 30);
  }

  @Test
  void theLimitIsSharedByTheSubtasksButEachHasOne() {
    assertThat(admitted(budget(ProvisionMode.AUTO, 60, 1_000, 4), 100)).isEqualTo(15);
    assertThat(admitted(budget(ProvisionMode.AUTO, 60, 1_000, 100), 100)).isEqualTo(1);
  }

  @Test
  void aPartitionThatSomebodyHasDroppedIsNoticedAfterAWhileAndNotForEachRecord() {
    listing.has(DAYS, OLD);
    PartitionBudget budget = budget(ProvisionMode.CHECK, 1, 10, 1);
    assertThat(ask(budget, OLD)).isNull();
    listing.partitions = List.of();

    assertThat(askLater(budget, OLD, PartitionBudget.TRUST.minusMillis(1))).isNull();
    assertThat(listing.asked).isEqualTo(1);
    assertThat(askLater(budget, OLD, PartitionBudget.TRUST).reason())
        .isEqualTo(RejectionReason.NO_PARTITION);
  }

  @Test
  void aPeriodThatWasRecentWhenItWasLetInIsLookedUpOnceItIsNot() {
    PartitionBudget budget = budget(ProvisionMode.CHECK, 1, 10, 1);
    assertThat(ask(budget, NOW)).isNull();

    assertThat(askLater(budget, NOW, Duration.ofDays(1)).reason())
        .isEqualTo(RejectionReason.NO_PARTITION);
  }

  @Test
  void manySubtasksTogetherLetInNoMoreInAMinuteThanTheLimit() {
    PartitionBudget budget = budget(ProvisionMode.AUTO, 10, 1_000, 64);
    assertThat(admitted(budget, 100)).isEqualTo(1);

    nanos += Duration.ofMinutes(6).toNanos();
    assertThat(admitted(budget, 100)).as("after 6 of 6.4 minutes").isEqualTo(1);
    nanos += Duration.ofMinutes(1).toNanos();
    assertThat(admitted(budget, 100)).isEqualTo(2);
  }

  @Test
  void whatIsThereAndWhatWasLetInCountAgainstTheLimitInAll() {
    listing.has(DAYS, NOW, NOW.minus(1, ChronoUnit.DAYS), NOW.minus(2, ChronoUnit.DAYS));
    PartitionBudget budget = budget(ProvisionMode.AUTO, 100, 5, 1);

    assertThat(admitted(budget, 10)).isEqualTo(2);
    assertThat(ask(budget, OLD.plus(9, ChronoUnit.DAYS)).detail())
        .contains("history.max-partitions (5)");
    assertThat(ask(budget, NOW)).isNull();
  }

  @Test
  void aPartitionThatWasLetInIsNotCountedTwiceOnceItIsListed() {
    PartitionBudget budget = budget(ProvisionMode.AUTO, 100, 3, 1);
    assertThat(admitted(budget, 2)).isEqualTo(2);
    listing.has(DAYS, OLD, OLD.plus(1, ChronoUnit.DAYS));

    assertThat(admitted(budget, 10)).isEqualTo(3);
  }

  @Test
  void aPartitionThatSomebodyHasMadeNeedsNoAllowance() {
    PartitionBudget budget = auto(1);
    assertThat(admitted(budget, 3)).isEqualTo(1);

    listing.has(DAYS, OLD.plus(1, ChronoUnit.DAYS), OLD.plus(2, ChronoUnit.DAYS));

    assertThat(admitted(budget, 3)).isEqualTo(3);
  }

  @Test
  void aPartitionOfAnotherPeriodIsNoneOfTheseRecords() {
    listing.has(TestHistory.of(PartitionPeriod.MONTH), OLD);

    assertThat(
            ask(budget(ProvisionMode.CHECK, 1, 10, 1), Instant.parse("2009-01-01T00:00:00Z"))
                .reason())
        .isEqualTo(RejectionReason.NO_PARTITION);
  }

  @Test
  void whereNobodyMakesPartitionsARecordWithoutOneIsRejectedWithTheCommand() {
    PartitionBudget budget = budget(ProvisionMode.CHECK, 60, 1_000, 1);

    assertThat(ask(budget, OLD))
        .isEqualTo(
            new Refusal(
                RejectionReason.NO_PARTITION,
                "History has no partition for it; create the partition, and replay the message: lastfix partitions"
                    + " create --from 2009-01-01T00:00:00Z --to 2009-01-02T00:00:00Z"));
    assertThat(ask(budget, NOW.minus(1, ChronoUnit.DAYS)).reason())
        .isEqualTo(RejectionReason.NO_PARTITION);
  }

  @Test
  void whereNobodyMakesPartitionsOneThatIsNotOverIsLeftToTheSink() {
    PartitionBudget budget = budget(ProvisionMode.CHECK, 60, 1_000, 1);

    assertThat(ask(budget, NOW)).isNull();
    assertThat(ask(budget, NOW.plus(4, ChronoUnit.MINUTES))).isNull();
  }
}
