package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.JobTopic;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.strimzi.api.kafka.model.user.acl.AclOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The chart's file of the jobs is what {@link Jobs} says, with the default profiles. With {@code
 * -Dlastfix.reference=write} it is written.
 */
class JobsFileTest {
  private static final Path FILE = Manifests.CHART.resolve("files/jobs.yaml");

  /** With the default names of topics: the chart refuses others. */
  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(null, List.of("located.topic=lastfix.located"), name -> null);

  @Test
  void theFile_isWhatTheJobsSay() throws IOException {
    String expected = text();
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(FILE, expected);
    }

    assertThat(Manifests.text(FILE))
        .as("after a change of a job, write %s with -Dlastfix.reference=write", FILE)
        .isEqualTo(expected);
  }

  private static String text() {
    return """
        # What the templates need to know of the jobs, as io.lastfix.jobs.Jobs says, and of the profiles that ship. Do not edit: JobsFileTest writes it.
        """
        + Manifests.write(List.of(content()));
  }

  private static ObjectNode content() {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    ObjectNode jobs = content.putObject("jobs");
    for (Jobs.Job job : Jobs.of(Jobs.Kind.STREAM)) {
      ObjectNode node = jobs.putObject(job.name()).put("class", job.mainClass().getName());
      ArrayNode topics = node.putArray("topics");
      job.topics().forEach(topic -> describe(job, topic, topics.addObject()));
      ArrayNode groups = node.putArray("groups");
      groups.addObject().put("suffix", job.suffix()).put("prefix", false);
      if (job.reads().contains(JobTopic.CELLS)) {
        groups.addObject().put("suffix", CatalogGroup.prefix(job.suffix())).put("prefix", true);
      }
    }
    CONFIG.profileNames().forEach(content.putArray("profiles")::add);
    ObjectNode settings = content.putObject("settings");
    Map<String, Map<String, String>> byTopic = new TreeMap<>(KafkaTopics.settings(CONFIG));
    CONFIG.kafka().locationTopics(CONFIG.profileNames()).forEach(byTopic::remove);
    byTopic.forEach(
        (topic, keys) -> {
          ObjectNode node = settings.putObject(topic);
          new TreeMap<>(keys).forEach(node::put);
        });
    // The broker's default, which the chart states: the jobs refuse another value.
    settings.withObject("/lastfix.alerts").put("cleanup.policy", "delete");
    settings.withObject("/lastfix.located").put("cleanup.policy", "delete");
    KafkaTopics.ofOnePartition(CONFIG).forEach(content.putArray("onePartition")::add);
    return content;
  }

  private static void describe(Jobs.Job job, JobTopic topic, ObjectNode node) {
    node.put("key", topic.key()).put("name", topic.nameIn(CONFIG)).put("prefix", topic.isPrefix());
    ArrayNode operations = node.putArray("operations");
    job.rights(topic).forEach(right -> operations.add(asStrimziSays(right).toValue()));
  }

  static AclOperation asStrimziSays(org.apache.kafka.common.acl.AclOperation right) {
    return AclOperation.valueOf(right.name().replace("_", ""));
  }
}
