package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.apache.flink.util.clock.ManualClock;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class GonePartitionsTest {
  private static final TopicPartition LAST = new TopicPartition("located", 3);

  private final ManualClock clock = new ManualClock();
  private Set<Integer> existing = Set.of(0);
  private int looks;
  private final GonePartitions gone =
      new GonePartitions(
          topic -> {
            looks++;
            return existing;
          },
          clock);

  @Test
  void aPartitionThatTheTopicLacksIsGoneAfterTenSeconds() {
    assertThat(gone.isGone(LAST)).as("its broker may answer yet").isFalse();
    clock.advanceTime(Duration.ofMillis(9_999));
    assertThat(gone.isGone(LAST)).isFalse();
    clock.advanceTime(Duration.ofMillis(1));
    assertThat(gone.isGone(LAST)).isTrue();
    assertThat(gone.isGone(LAST)).isTrue();
    assertThat(looks).as("the topic is looked at each ten seconds only").isEqualTo(1);
  }

  @Test
  void oneWhoseBrokerIsSilentIsNotAndNeitherIsAnyOfATopicThatIsNotKnown() {
    for (Set<Integer> known : Set.of(Set.of(0, 3), Set.<Integer>of())) {
      existing = known;
      assertThat(gone.isGone(LAST)).isFalse();
      clock.advanceTime(Duration.ofSeconds(10));
      assertThat(gone.isGone(LAST)).isFalse();
    }
  }

  @Test
  void onceTheTopicHasItAgainItIsNotGone() {
    assertThat(gone.isGone(LAST)).isFalse();
    clock.advanceTime(Duration.ofSeconds(10));
    assertThat(gone.isGone(LAST)).isTrue();

    existing = Set.of(0, 1, 2, 3);
    gone.onAnswer(LAST);

    assertThat(gone.isGone(LAST)).isFalse();
    clock.advanceTime(Duration.ofSeconds(10));
    assertThat(gone.isGone(LAST)).isFalse();
  }
}
