package io.lastfix.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.bench.plot.CheckpointTimeline.Span;
import org.junit.jupiter.api.Test;

class CheckpointTimelineTest {
  private final CheckpointTimeline timeline = new CheckpointTimeline();

  @Test
  void oneThatWasSeenSeveralTimesIsOneUntilItWasSeenNoMore() {
    timeline.mongo(1, false);
    timeline.mongo(2, true);
    timeline.mongo(3, true);
    timeline.mongo(5, false);
    timeline.mongo(6, false);
    timeline.mongo(7, true);
    timeline.mongo(8, false);

    assertThat(timeline.ofMongo(10)).containsExactly(new Span(2, 5), new Span(7, 8));
  }

  @Test
  void oneThatWasNotSeenToEndGoesOn() {
    timeline.mongo(4, true);

    assertThat(timeline.ofMongo(10)).containsExactly(new Span(4, 10));
  }

  @Test
  void whatIsKnownLaterOfACheckpointReplacesWhatWasSeenBefore() {
    timeline.flink(7, 1, 1.5);
    timeline.flink(8, 3, 4);
    timeline.flink(7, 1, 2);

    assertThat(timeline.ofFlink(10)).containsExactly(new Span(1, 2), new Span(3, 4));
  }

  @Test
  void ofOneThatBeganBeforeOrEndedAfterOnlyThePartBetweenCounts() {
    timeline.flink(1, -5, -1);
    timeline.flink(2, -1, 1);
    timeline.flink(3, 9, 12);
    timeline.flink(4, 11, 12);

    assertThat(timeline.ofFlink(10)).containsExactly(new Span(0, 1), new Span(9, 10));
  }

  @Test
  void oneWhoseClockIsAheadIsNotShorterThanNothing() {
    timeline.flink(1, 5, 4);

    assertThat(timeline.ofFlink(10)).containsExactly(new Span(5, 5));
  }
}
