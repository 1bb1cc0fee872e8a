package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Instants are in seconds. A group reads two partitions. */
class CommittedTimeTest {
  private static final TopicPartition FIRST = new TopicPartition("lastfix.location.json", 0);
  private static final TopicPartition SECOND = new TopicPartition("lastfix.location.json", 1);

  private final Map<TopicPartition, Long> committed = new HashMap<>(Map.of(FIRST, 0L, SECOND, 0L));

  private final Map<TopicPartition, Range> ranges =
      new HashMap<>(Map.of(FIRST, new Range(0, 0), SECOND, new Range(0, 0)));

  private final List<Map<TopicPartition, Range>> read = new ArrayList<>();
  private boolean hasRecords = true;

  private final CommittedTime time =
      new CommittedTime(
          left -> {
            read.add(left);
            return hasRecords;
          });

  private CommittedTimeTest write(TopicPartition partition, long end) {
    ranges.put(partition, new Range(0, end));
    return this;
  }

  private CommittedTimeTest commit(TopicPartition partition, long offset) {
    committed.put(partition, offset);
    return this;
  }

  private long at(long second) {
    long millis = time.update(1_000 * second, Map.copyOf(committed), Map.copyOf(ranges));
    boolean isNone = millis == CommittedTime.ALWAYS || millis == CommittedTime.NEVER;
    return isNone ? millis : millis / 1_000;
  }

  @Test
  void ofATopicThatIsReadItIsNow() {
    assertThat(at(100)).isEqualTo(100);
    assertThat(write(FIRST, 7).commit(FIRST, 7).at(105)).isEqualTo(105);
  }

  @Test
  void aCommitCountsForTheEndsThatItReaches() {
    assertThat(write(FIRST, 10).at(100)).isEqualTo(CommittedTime.NEVER);
    assertThat(write(FIRST, 20).at(105)).isEqualTo(CommittedTime.NEVER);
    assertThat(write(FIRST, 30).write(SECOND, 5).at(110)).isEqualTo(CommittedTime.NEVER);

    assertThat(write(FIRST, 40).commit(FIRST, 25).at(115)).isEqualTo(105);
    assertThat(commit(FIRST, 35).at(120)).as("the second one is behind").isEqualTo(105);
    assertThat(commit(SECOND, 5).at(125)).isEqualTo(110);
    assertThat(commit(FIRST, 40).at(130)).isEqualTo(130);
  }

  @Test
  void whileTheGroupStandsStill_SoDoesIt() {
    at(100);
    write(FIRST, 1);

    for (long second = 105; second < 4_000; second += 5) {
      assertThat(at(second)).isEqualTo(100);
    }

    assertThat(commit(FIRST, 1).at(4_000)).isEqualTo(4_000);
  }

  /** As with messages that were written in transactions. */
  @Test
  void whatNoConsumerReceivesIsNotWaitedFor() {
    at(100);
    hasRecords = false;
    write(FIRST, 1);
    assertThat(at(105)).isEqualTo(100);
    assertThat(at(134)).isEqualTo(100);
    assertThat(read).isEmpty();

    assertThat(at(135)).isEqualTo(135);
    assertThat(at(140)).as("not at each call").isEqualTo(135);
    assertThat(at(170)).isEqualTo(170);
    assertThat(read).hasSize(2).allMatch(left -> left.equals(Map.of(FIRST, new Range(0, 1))));
  }

  @Test
  void aTopicThatTheGroupNeverReadIsNotWaitedFor() {
    committed.remove(SECOND);

    assertThat(write(SECOND, 9).at(100)).isEqualTo(100);
  }

  @Test
  void withoutAGroupNothingIsWaitedFor_UntilThereIsOne() {
    committed.clear();
    assertThat(write(FIRST, 9).at(100)).isEqualTo(CommittedTime.ALWAYS);

    assertThat(commit(FIRST, 0).at(105)).isEqualTo(CommittedTime.NEVER);
    assertThat(commit(FIRST, 9).at(110)).isEqualTo(110);
  }

  @Test
  void aTopicThatWasCreatedAgainIsWaitedForAsItIsNow() {
    assertThat(write(FIRST, 50).at(100)).isEqualTo(CommittedTime.NEVER);

    assertThat(write(FIRST, 3).commit(FIRST, 3).at(105)).isEqualTo(105);
  }
}
