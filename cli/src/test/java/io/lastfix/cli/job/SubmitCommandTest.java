package io.lastfix.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.stack.flink.FlinkRest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmitCommandTest {
  private static final String ANALYTICS = "lastfix-location-analytics";

  @Test
  void aLocationJobWithoutLocatedTopicBesideAnAnalyticsJobIsNamed() {
    assertThat(SubmitCommand.uncounted(ANALYTICS, List.of(job(ANALYTICS, "RESTARTING"))))
        .hasValueSatisfying(
            line ->
                assertThat(line)
                    .startsWith("located.topic is not set, so job lastfix-location-analytics gets")
                    .endsWith("run lastfix analyze over that time"));
  }

  @Test
  void itIsNotIfNobodyCounts() {
    assertThat(
            SubmitCommand.uncounted(
                ANALYTICS, List.of(job(ANALYTICS, "CANCELED"), job("other-analytics", "RUNNING"))))
        .isEmpty();
  }

  private static FlinkRest.Job job(String name, String state) {
    return new FlinkRest.Job("1", name, state, Instant.EPOCH);
  }
}
