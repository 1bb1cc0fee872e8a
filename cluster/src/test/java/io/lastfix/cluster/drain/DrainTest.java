package io.lastfix.cluster.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With answers in the form of Flink 1.20. */
class DrainTest {
  private static final String JOB = "a0b1c2d3e4f5061728394a5b6c7d8e9f";

  private final CannedCluster cluster = new CannedCluster();
  private final FlinkRest flink = new FlinkRest(cluster.url());
  private final Drain.Input input = new Drain.Input("a", List.of("locations"), "cells", "group");

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void theCataloguesGroupIsFoundInTheParametersOfTheRunningJob() throws Exception {
    parameters("{\"owner\":\"night shift\",\"group\":\"a-cells-0123abcd\"}");

    assertThat(input.tryFindCatalogGroup(flink, JOB)).contains("a-cells-0123abcd");
  }

  /** Flink shows it with an empty configuration. */
  @Test
  void aJobThatIsBeingSetUpHasNoGroupYet() throws Exception {
    parameters("{}");

    assertThat(input.tryFindCatalogGroup(flink, JOB)).isEmpty();
  }

  private void parameters(String json) {
    cluster.answers(
        "/jobs/" + JOB + "/config",
        """
        {"jid":"%s","name":"lastfix-location","execution-config":{"restart-strategy":"none",
          "job-parallelism":2,"object-reuse-mode":true,"user-config":%s}}
        """
            .formatted(JOB, json));
  }
}
