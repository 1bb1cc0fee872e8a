package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.ProcessCpu.Server;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuTimelineTest {
  private final CpuTimeline timeline = new CpuTimeline();

  @Test
  void betweenTwoReadingsTheTimeWasUsedEvenly() {
    timeline.add(1_000, reading(10, 1));
    timeline.add(2_000, reading(20, 1));
    timeline.add(4_000, reading(60, 3));

    Reading used = timeline.used(1_500, 3_000);

    assertThat(used.of(Server.FLINK)).isEqualTo(25, within(1e-9));
    assertThat(used.client()).isEqualTo(1, within(1e-9));
  }

  @Test
  void fromReadingToReadingNothingIsReckoned() {
    timeline.add(1_000, reading(10, 1));
    timeline.add(2_000, reading(20, 1));

    assertThat(timeline.used(1_000, 2_000).of(Server.FLINK)).isEqualTo(10);
  }

  @Test
  void aReadingAfterAStepBackOfTheClockIsLeftOut() {
    timeline.add(1_000, reading(10, 1));
    timeline.add(900, reading(15, 1));
    timeline.add(2_000, reading(20, 1));

    assertThat(timeline.used(1_000, 1_500).of(Server.FLINK)).isEqualTo(5);
  }

  @Test
  void aMomentOutsideIsRefused() {
    timeline.add(1_000, reading(10, 1));
    timeline.add(2_000, reading(20, 1));

    assertThatThrownBy(() -> timeline.used(1_000, 2_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected an instant while CPU time was read (1000 to 2000), found 2001");
    assertThatThrownBy(() -> timeline.used(999, 2_000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofServersElsewhereNothingIsKnownWhateverTheirClock() {
    timeline.add(1_000, new Reading(Map.of(), 1));
    timeline.add(2_000, new Reading(Map.of(), 2));

    assertThat(timeline.used(5_000, 6_000).of(Server.FLINK)).isNaN();
  }

  private static Reading reading(double flink, double client) {
    return new Reading(Map.of(Server.FLINK, flink), client);
  }
}
