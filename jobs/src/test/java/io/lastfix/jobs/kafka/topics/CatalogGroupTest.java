package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.LocationJob;
import io.lastfix.jobs.config.LocationJobConfig;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogGroupTest {
  @Test
  void eachStartHasAGroupOfItsOwn() {
    CatalogGroup first = CatalogGroup.ofNewStart("a");
    CatalogGroup second = CatalogGroup.ofNewStart("a");

    assertThat(List.of(first.id(), second.id()))
        .allMatch(id -> id.matches("a-cells-[0-9a-f]{8}"))
        .allMatch(id -> CatalogGroup.isOfJob("a", id))
        .allMatch(CatalogGroup::isOfOneStart)
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest(name = "{1} of {0}: {2}")
  @CsvSource({
    "a, a-cells-0123abcd, true",
    "a, a-cells, false",
    // No character in a name is special, also not in the job's name.
    "a.b, a.b-cells-0123abcd, true",
    "a.b, axb-cells-0123abcd, false",
    "a-cells-x, a-cells-x-cells-0123abcd, true",
    // Another job's group with the same prefix, and the job's own group.
    "a, a-cells-x, false",
    "a, a-cells-x-cells, false",
    "a, a-cells-x-cells-0123abcd, false",
    "a, ab-cells-0123abcd, false",
    "ab, a-cells-0123abcd, false",
    // Not exactly eight lower-case hexadecimal digits.
    "a, a-cells-0123abc, false",
    "a, a-cells-0123abcde, false",
    "a, a-cells-0123ABCD, false",
    "a, a-cells-0123abcg, false",
    "a, a-cells-, false",
    "a, a, false",
    "a, '', false"
  })
  void aJobsGroupsAreToldFromOthersByTheirExactShape(String job, String name, boolean expected) {
    assertThat(CatalogGroup.isOfJob(job, name)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "a-cells-0123abcd, true",
    "a-cells-x-cells-0123abcd, true",
    "a-cells, false",
    "a-cells-012345678, false",
    "-cells-0123abcd, false",
    "a, false"
  })
  void aGroupOfOneStartIsKnownByItsName(String name, boolean expected) {
    assertThat(CatalogGroup.isOfOneStart(name)).isEqualTo(expected);
  }

  @Test
  void itIsPublishedBesideWhatTheUserPublishes() throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(
            null, List.of("flink.pipeline.global-job-parameters=owner:night shift"), name -> null);
    ExecutionConfig job =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config))
            .getConfig();

    new CatalogGroup("a-cells-0123abcd").publish(job);

    assertThat(job.getGlobalJobParameters().toMap())
        .isEqualTo(Map.of("owner", "night shift", CatalogGroup.JOB_PARAMETER, "a-cells-0123abcd"));
  }
}
