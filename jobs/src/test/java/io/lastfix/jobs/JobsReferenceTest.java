package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.JobTopic;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.Test;

/**
 * Compares two tables of {@code docs/reference/topics.md} with {@link Jobs}. With {@code
 * -Dlastfix.reference=write} it writes them.
 */
class JobsReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "topics.md");

  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(null, List.of("located.topic=lastfix.located"), name -> null);

  @Test
  void thePageHasTheGroupsAndRightsOfTheJobs() throws IOException {
    String page = Files.readString(PAGE);
    String expected = with(with(page, "groups", groups()), "rights", rights());
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE))
        .as("after a change of a job, write the page with -Dlastfix.reference=write")
        .isEqualTo(expected);
  }

  private static String with(String page, String table, List<String> rows) {
    Matcher place =
        Pattern.compile("(?s)(<!-- %s: [^\n]*-->\n).*?(<!-- end -->)".formatted(table))
            .matcher(page);
    assertThat(place.find()).as("the page's place for %s", table).isTrue();
    return page.substring(0, place.end(1))
        + String.join("\n", rows)
        + "\n"
        + page.substring(place.start(2));
  }

  private static List<String> groups() {
    List<String> rows = new ArrayList<>(List.of("", "| group | job | reads |", "|---|---|---|"));
    for (Jobs.Job job : Jobs.of(Jobs.Kind.STREAM)) {
      String group = job.groupId(CONFIG.kafka());
      for (JobTopic topic : job.reads()) {
        String name =
            switch (topic) {
              case CELLS ->
                  "`%s` and eight hexadecimal digits".formatted(CatalogGroup.prefix(group));
              // It is read from its beginning at each start.
              case RULES, USAGE -> "none";
              default -> "`%s`".formatted(group);
            };
        rows.add("| %s | %s | %s |".formatted(name, job.name(), name(topic)));
      }
    }
    rows.add("");
    return rows;
  }

  private static List<String> rights() {
    List<String> rows =
        new ArrayList<>(List.of("", "| job | topic | operations |", "|---|---|---|"));
    for (Jobs.Job job : Jobs.of(Jobs.Kind.STREAM)) {
      job.topics().stream()
          .map(
              topic ->
                  "| %s | %s | %s |".formatted(job.name(), name(topic), operations(job, topic)))
          .forEach(rows::add);
    }
    rows.add("");
    return rows;
  }

  private static String name(JobTopic topic) {
    return "`%s%s`".formatted(topic.nameIn(CONFIG), topic.isPrefix() ? "<profile>" : "");
  }

  private static String operations(Jobs.Job job, JobTopic topic) {
    return job.rights(topic).stream()
        .map(JobsReferenceTest::asKafkaSays)
        .collect(Collectors.joining(", "));
  }

  /** As {@code kafka-acls.sh} takes it: DescribeConfigs. */
  private static String asKafkaSays(AclOperation operation) {
    return Arrays.stream(operation.name().split("_", -1))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
