package io.lastfix.operate.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.kafka.topics.CatalogGroup;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocationDrainTest {
  @Test
  void aJobThatCommitsUnderAnotherGroupIsRefused() throws Exception {
    Map<String, String> parameters =
        Map.of(CatalogGroup.JOB_PARAMETER, CatalogGroup.ofNewStart("fleet").id());

    LocationDrain.requireGroup(parameters, "fleet");
    LocationDrain.requireGroup(Map.of(), "fleet-b");
    assertThatThrownBy(() -> LocationDrain.requireGroup(parameters, "fleet-b"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "the job was submitted with another kafka.group-id than 'fleet-b', since it reads the catalogue as 'fleet-cells-")
        .hasMessageEndingWith("give the --config and --set of its submit");
  }
}
