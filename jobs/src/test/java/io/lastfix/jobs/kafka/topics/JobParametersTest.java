package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.junit.jupiter.api.Test;

class JobParametersTest {
  @Test
  void locationTopicsArePublishedBesideTheCatalogueGroup() {
    ExecutionConfig job = new ExecutionConfig();
    CatalogGroup group = CatalogGroup.ofNewStart("a");

    group.publish(job);
    JobParameters.publishLocationTopics(job, List.of("location.json", "location.own"));

    Map<String, String> published = job.getGlobalJobParameters().toMap();
    assertThat(published).containsEntry(CatalogGroup.JOB_PARAMETER, group.id());
    assertThat(JobParameters.locationTopics(published))
        .contains(List.of("location.json", "location.own"));
  }

  @Test
  void locationTopicsOfAJobThatPublishedNoneAreNotKnown() {
    assertThat(JobParameters.locationTopics(Map.of(CatalogGroup.JOB_PARAMETER, "a-cells-01234567")))
        .isEmpty();
  }
}
