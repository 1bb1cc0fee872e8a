package io.lastfix.operate.forget;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a report names as places that an erasure does not reach. */
class NeverReachedTest {
  @Test
  void theTopicsThatTheJobReadsAndWrites() {
    assertThat(neverReached())
        .contains(
            "Kafka's topics, until their retention ends: all whose names begin with"
                + " lastfix.location., lastfix.rejected, lastfix.heartbeats, lastfix.alerts, and"
                + " lastfix.alerts.undelivered");
  }

  @Test
  void theTopicOfLocatedRecordsIfItIsConfigured() {
    assertThat(neverReached("located.topic=lastfix.located"))
        .contains(
            "Kafka's topics, until their retention ends: all whose names begin with"
                + " lastfix.location., lastfix.rejected, lastfix.heartbeats, lastfix.alerts,"
                + " lastfix.alerts.undelivered, and lastfix.located");
  }

  private static List<String> neverReached(String... settings) {
    LocationJobConfig config = LocationJobConfig.load(null, List.of(settings), name -> null);
    return new Forgetting(config, Optional.empty(), line -> {}).neverReached(false);
  }
}
