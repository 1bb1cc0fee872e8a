package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.junit.jupiter.api.Test;

class LocationTopicsTest {
  @Test
  void theyArePublishedBesideTheCatalogueGroup() {
    ExecutionConfig job = new ExecutionConfig();
    CatalogGroup group = CatalogGroup.ofNewStart("a");

    group.publish(job);
    LocationTopics.publish(job, List.of("location.json", "location.own"));

    Map<String, String> published = job.getGlobalJobParameters().toMap();
    assertThat(published).containsEntry(CatalogGroup.JOB_PARAMETER, group.id());
    assertThat(LocationTopics.of(published)).contains(List.of("location.json", "location.own"));
  }

  @Test
  void ofAJobThatPublishedNoneTheyAreNotKnown() {
    assertThat(LocationTopics.of(Map.of(CatalogGroup.JOB_PARAMETER, "a-cells-01234567"))).isEmpty();
  }
}
