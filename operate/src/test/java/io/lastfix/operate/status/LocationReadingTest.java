package io.lastfix.operate.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.gateway.GatewayConfig;
import io.lastfix.jobs.config.LocationJobConfig;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocationReadingTest {
  private static final String GROUP = "\"lastfix.catalog-group\":\"a-cells-01234567\"";

  private final CannedCluster cluster = new CannedCluster();

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void whatTheGatewayTakesByDefaultTheJobReadsByDefault() {
    assertThat(LocationJobConfig.load(null, List.of(), name -> null).profileNames())
        .containsExactlyInAnyOrderElementsOf(GatewayConfig.load(null, List.of()).profiles());
  }

  @Test
  void theTopicsAreThoseOfJobsThatHaveNotEnded() throws Exception {
    publishes("one", "{%s,\"lastfix.location-topics\":\"l.json,l.mlp\"}".formatted(GROUP));
    publishes("other", "{%s,\"lastfix.location-topics\":\"l.own\"}".formatted(GROUP));
    publishes("of-devices", "{\"some\":\"parameter\"}");

    LocationReading reading =
        reading(
            job("one", "RUNNING"),
            job("other", "RESTARTING"),
            job("of-devices", "RUNNING"),
            job("ended", "CANCELED"));

    assertThat(reading.topics()).containsExactly("l.json", "l.mlp", "l.own");
    assertThat(reading.isKnown()).isTrue();
  }

  @Test
  void whileAJobIsBeingSetUpItIsNotKnown() throws Exception {
    publishes("one", "{}");
    cluster.answers("/jobs/one", "{\"state\":\"INITIALIZING\"}");

    assertThat(reading(job("one", "INITIALIZING")).isKnown()).isFalse();
  }

  @Test
  void theRemedyNamesTheProfile() {
    assertThat(LocationReading.remedies(Map.of("l.own", 1200L), "l."))
        .containsExactly(
            "l.own has up to 1,200 records that no running job reads: they are not stored. Resume"
                + " the location job if it is stopped; otherwise submit it with profile own in"
                + " profiles.names, or name the topic in"
                + " source.abandon-topics");
  }

  private LocationReading reading(FlinkRest.Job... jobs) throws Exception {
    return LocationReading.of(new FlinkRest(cluster.url()), List.of(jobs));
  }

  private void publishes(String job, String parameters) {
    cluster.answers(
        "/jobs/" + job + "/config",
        "{\"execution-config\":{\"user-config\":%s}}".formatted(parameters));
  }

  private static FlinkRest.Job job(String id, String state) {
    return new FlinkRest.Job(id, "lastfix-location", state, Instant.EPOCH);
  }
}
