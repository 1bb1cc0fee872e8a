package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.history.PartitionStatistics.Figures;
import io.lastfix.store.history.PartitionStatistics.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionStatisticsTest {
  private static Figures ofShard(String shard, long records) {
    return new Figures(
        records, 10 * records, 5 * records, records, List.of(Share.of(shard, records, records)));
  }

  @Test
  void theShardsOfAPartitionAreAddedUpAndEachHasItsShare() {
    Figures sum = Figures.sum(List.of(ofShard("b", 25), ofShard("a", 75)));

    assertThat(sum)
        .isEqualTo(
            new Figures(
                100, 1_000, 500, 100, List.of(new Share("a", 75, 0.75), new Share("b", 25, 0.25))));
    assertThat(sum.wordsOfShards()).isEqualTo("a 75.0%, b 25.0%");
    assertThat(Figures.sum(List.of(sum, ofShard("b", 100))).shards())
        .containsExactly(new Share("a", 75, 0.375), new Share("b", 125, 0.625));
  }

  @Test
  void recordsThatWereCountedLeaveTheShardsSharesAsTheShardsSay() {
    Figures counted = Figures.sum(List.of(ofShard("a", 30), ofShard("b", 30))).withRecords(40);

    Figures total = Figures.sum(List.of(counted));

    assertThat(total.records()).isEqualTo(40);
    assertThat(total.wordsOfShards()).isEqualTo("a 50.0%, b 50.0%");
  }

  @Test
  void whereThereIsNothingNoShardHasAShare() {
    assertThat(Figures.sum(List.of(ofShard("a", 0))).shards())
        .containsExactly(new Share("a", 0, 0));
    assertThat(Figures.sum(List.of())).isEqualTo(new Figures(0, 0, 0, 0, List.of()));
    assertThat(Figures.sum(List.of()).wordsOfShards()).isEqualTo("-");
  }
}
