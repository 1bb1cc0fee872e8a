package io.lastfix.cli.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.store.history.PartitionStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionsStatsCommandTest {
  @Test
  void anEstimateIsCalledOneInTheTableAndInJson() throws Exception {
    PartitionStatistics estimate = PartitionStatistics.of(List.of(), true);
    PartitionStatistics counted = PartitionStatistics.of(List.of(), false);

    assertThat(PartitionsStatsCommand.table(estimate).toString()).contains("RECORDS (ESTIMATE)");
    assertThat(PartitionsStatsCommand.table(counted).toString())
        .contains("RECORDS")
        .doesNotContain("ESTIMATE");
    JsonNode json = new ObjectMapper().findAndRegisterModules().valueToTree(estimate);
    assertThat(json.get("estimated").asBoolean()).isTrue();
  }
}
