package io.lastfix.workload;

import static io.lastfix.workload.Examples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class GeneratorOptionsTest {

  @Test
  void devicesReportAboutOnceAMinute() {
    GeneratorOptions options = new GeneratorOptionsBuilder().count(10_000).users(100).build(NOW);

    assertThat(Duration.ofMillis(options.intervalMillis() * options.users()))
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void manyRecordsOfFewDevicesSpanNoMoreThanThirtyDays() {
    GeneratorOptions options = new GeneratorOptionsBuilder().count(10_000_000).users(1).build(NOW);

    assertThat(Duration.ofMillis(options.intervalMillis() * options.count()))
        .isLessThanOrEqualTo(Duration.ofDays(30));
  }

  @Test
  void timesOfMlpAreWholeSeconds() {
    GeneratorOptions options =
        new GeneratorOptionsBuilder().format(MessageFormat.MLP).users(7).build(NOW);

    assertThat(options.intervalMillis() % 1000).isZero();
    assertThat(options.startMillis() % 1000).isZero();
  }

  @Test
  void shareAboveOneIsRefused() {
    assertThatThrownBy(() -> new GeneratorOptionsBuilder().late(1.5).build(NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("late: expected 0.0 to 1.0, found 1.5");
  }

  @Test
  void positionsInAFormatThatHasCellsOnlyAreRefused() {
    assertThatThrownBy(
            () -> new GeneratorOptionsBuilder().format(MessageFormat.MLP).fixes(0.1).build(NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("fixes: expected the format json or ndjson, since mlp has cells only");
    assertThat(
            new GeneratorOptionsBuilder().format(MessageFormat.NDJSON).fixes(1).build(NOW).fixes())
        .isEqualTo(1);
  }

  @Test
  void aStartBeforeTheUsualFloorIsRefused() {
    Instant start = Instant.parse("1999-12-31T23:59:59Z");

    assertThatThrownBy(() -> new GeneratorOptionsBuilder().start(start).build(NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("start: expected a time from the year 2000 on, found " + start);
  }

  @Test
  void noRecordsAreRefused() {
    assertThatThrownBy(() -> new GeneratorOptionsBuilder().count(0).build(NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("count: expected 1 to ");
  }
}
