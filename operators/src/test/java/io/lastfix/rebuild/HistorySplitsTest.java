package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.history.HistoryId;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.TimeRange;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.bson.BsonBinary;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistorySplitsTest {
  private static final long MONTH_START = Instant.parse("2026-11-01T00:00:00Z").toEpochMilli();
  private static final long MONTH_LAST_MILLI = 30L * 24 * 3_600_000 - 1;

  @ParameterizedTest
  @CsvSource({
    "history_2026_11, 30",
    "history_2028_02, 29",
    "history_2026_11_20, 1",
    "history_2026_11_20_13, 1"
  })
  void aMonthIsReadByDaysAndAnythingShorterAtOnce(String collection, int splits) {
    assertThat(of(collection)).hasSize(splits);
  }

  @Test
  void theSplitsOfAPeriodMeetAndItsEndsAreOpen() {
    List<MongoScanSourceSplit> splits = of("history_2026_11");

    assertThat(min(splits.get(0))).isEqualTo(new BsonMinKey());
    assertThat(max(splits.get(29))).isEqualTo(new BsonMaxKey());
    for (int i = 1; i < splits.size(); i++) {
      assertThat(min(splits.get(i))).isEqualTo(max(splits.get(i - 1)));
    }
  }

  @Test
  void aDayIsDividedAtTheCutsOfItsTime() {
    List<MongoScanSourceSplit> splits =
        of(
            TimeRange.ALL,
            List.of(
                Instant.ofEpochMilli(MONTH_START - 1),
                Instant.ofEpochMilli(MONTH_START),
                Instant.ofEpochMilli(MONTH_START + 2),
                Instant.ofEpochMilli(MONTH_START + 1)));

    assertThat(splits).hasSize(32);
    assertThat(max(splits.get(0))).isEqualTo(HistoryId.lowestAt(MONTH_START + 1));
    assertThat(min(splits.get(1))).isEqualTo(max(splits.get(0)));
    assertThat(max(splits.get(1))).isEqualTo(HistoryId.lowestAt(MONTH_START + 2));
    assertThat(splits).extracting(MongoScanSourceSplit::splitId).doesNotHaveDuplicates();
  }

  @Test
  void splitsOfSeveralCollectionsHaveIdsOfTheirOwn() {
    List<MongoScanSourceSplit> splits = of("history_2026_11", "history_2026_12");

    assertThat(splits).extracting(MongoScanSourceSplit::splitId).doesNotHaveDuplicates();
    assertThat(splits)
        .extracting(MongoScanSourceSplit::getCollection)
        .containsOnly("history_2026_11", "history_2026_12");
  }

  @Property
  void everyMomentOfAMonthIsInTheSplitOfItsDay(
      @ForAll @LongRange(min = 0, max = MONTH_LAST_MILLI) long millis) {
    BsonBinary id = HistoryId.lowestAt(MONTH_START + millis);

    assertThat(of("history_2026_11").stream().filter(split -> holds(split, id)))
        .singleElement()
        .extracting(MongoScanSourceSplit::splitId)
        .isEqualTo("lastfix.history_2026_11_" + millis / (24 * 3_600_000));
  }

  @Property
  void withATimeRangeExactlyItsMomentsAreInASplit(
      @ForAll @LongRange(min = 0, max = MONTH_LAST_MILLI) long first,
      @ForAll @LongRange(min = 0, max = MONTH_LAST_MILLI) long second,
      @ForAll @LongRange(min = 0, max = MONTH_LAST_MILLI) long moment,
      @ForAll @Size(max = 5) List<@LongRange(min = -1, max = MONTH_LAST_MILLI + 2) Long> cuts) {
    long from = Math.min(first, second);
    long to = Math.max(first, second) + 1;
    TimeRange range =
        new TimeRange(
            Instant.ofEpochMilli(MONTH_START + from), Instant.ofEpochMilli(MONTH_START + to));
    List<MongoScanSourceSplit> splits =
        of(range, cuts.stream().map(cut -> Instant.ofEpochMilli(MONTH_START + cut)).toList());

    for (long millis :
        new long[] {moment, from, Math.max(0, from - 1), to - 1, Math.min(to, MONTH_LAST_MILLI)}) {
      BsonBinary id = HistoryId.lowestAt(MONTH_START + millis);
      assertThat(splits.stream().filter(split -> holds(split, id)))
          .as("%d of %d to %d", millis, from, to)
          .hasSize(millis >= from && millis < to ? 1 : 0);
    }
  }

  /** Compares as MongoDB does: binaries of one length and type by their unsigned bytes. */
  private static boolean holds(MongoScanSourceSplit split, BsonBinary id) {
    boolean isFrom =
        !(min(split) instanceof BsonBinary from)
            || Arrays.compareUnsigned(from.getData(), id.getData()) <= 0;
    boolean isBefore =
        !(max(split) instanceof BsonBinary to)
            || Arrays.compareUnsigned(id.getData(), to.getData()) < 0;
    return isFrom && isBefore;
  }

  private static BsonValue min(MongoScanSourceSplit split) {
    return split.getMin().get("_id");
  }

  private static BsonValue max(MongoScanSourceSplit split) {
    return split.getMax().get("_id");
  }

  private static List<MongoScanSourceSplit> of(String... collections) {
    return HistorySplits.of(
        "lastfix",
        Stream.of(collections).map(HistorySplitsTest::partition).toList(),
        TimeRange.ALL,
        List.of());
  }

  private static List<MongoScanSourceSplit> of(TimeRange range, List<Instant> cuts) {
    return HistorySplits.of("lastfix", List.of(partition("history_2026_11")), range, cuts);
  }

  private static HistoryPartition partition(String name) {
    return HistoryPartition.parse("history", name).orElseThrow();
  }
}
