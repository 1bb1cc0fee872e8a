package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.lastfix.gateway.config.GatewayConfig;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import io.strimzi.api.kafka.model.user.KafkaUserAuthorizationSimple;
import io.strimzi.api.kafka.model.user.acl.AclOperation;
import io.strimzi.api.kafka.model.user.acl.AclResourcePatternType;
import io.strimzi.api.kafka.model.user.acl.AclRule;
import io.strimzi.api.kafka.model.user.acl.AclRuleGroupResource;
import io.strimzi.api.kafka.model.user.acl.AclRuleTopicResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Topics and rights in Kafka are those of the code. */
class KafkaTest {
  /** What the chart decides beside the jobs: how long and how often data is kept. */
  private static final Set<String> OF_THE_CHART = Set.of("retention.ms", "min.insync.replicas");

  /** The broker's default, which the chart states: the job refuses another value. */
  private static final Map<String, String> LOCATED = Map.of("cleanup.policy", "delete");

  static List<Manifests> committed() {
    return Manifests.committed();
  }

  @ParameterizedTest
  @MethodSource("committed")
  void topics_areThoseThatTheJobsWouldMake(Manifests manifests) {
    LocationJobConfig config = jobs(manifests);
    Map<String, Map<String, String>> expected = new TreeMap<>(KafkaTopics.settings(config));
    if (config.locatedTopic() != null) {
      expected.put(config.locatedTopic(), LOCATED);
    }
    if (!hasJob(manifests, "analytics")) {
      expected.remove(config.analytics().countsTopic());
    }

    Map<String, Map<String, String>> found = new TreeMap<>();
    for (KafkaTopic topic : manifests.of(KafkaTopic.class)) {
      Map<String, String> settings = new HashMap<>();
      topic.getSpec().getConfig().forEach((key, value) -> settings.put(key, value.toString()));
      settings.keySet().removeAll(OF_THE_CHART);
      found.put(topic.getMetadata().getName(), settings);
    }
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("committed")
  void gatewayAndJobs_meanTheSameTopics(Manifests manifests) {
    LocationJobConfig jobs = jobs(manifests);
    GatewayConfig gateway = GatewayConfig.load(null, List.of());

    assertThat(gateway.heartbeats().topic()).isEqualTo(jobs.devices().heartbeatsTopic());
    assertThat(gateway.devices().topic()).isEqualTo(jobs.devices().usageTopic());
    assertThat(manifests.get(ConfigMap.class, "lastfix-gateway").getData().get("gateway.yaml"))
        .doesNotContain("heartbeats.topic", "devices.topic", "location-topic-prefix");
  }

  /** Each job and the gateway may do what docs/reference/topics.md says, and nothing else. */
  @ParameterizedTest
  @MethodSource("committed")
  void users_haveTheRightsOfTheirComponent(Manifests manifests) {
    LocationJobConfig config = jobs(manifests);
    String group = config.kafka().groupId();
    Set<AclOperation> reads =
        EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBECONFIGS);
    Set<AclOperation> writes =
        EnumSet.of(AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.DESCRIBECONFIGS);
    Set<AclOperation> both = EnumSet.copyOf(reads);
    both.addAll(writes);
    Set<AclOperation> member = EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE);
    Map<String, Map<String, Set<AclOperation>>> expected = new TreeMap<>();
    Map<String, Set<AclOperation>> location =
        new HashMap<>(
            Map.of(
                "topic " + config.kafka().locationTopicPrefix() + "*", reads,
                "topic " + config.kafka().cellsTopic(), reads,
                "topic " + config.kafka().rejectedTopic(), writes,
                "group " + group, member,
                "group " + group + "-cells-*", member));
    if (config.locatedTopic() != null) {
      location.put("topic " + config.locatedTopic(), writes);
    }
    expected.put("lastfix-location", location);
    expected.put(
        "lastfix-devices",
        Map.of(
            "topic " + config.devices().heartbeatsTopic(), reads,
            "topic " + config.devices().presenceTopic(), writes,
            "topic " + config.devices().usageTopic(), writes,
            "group " + group + "-devices", member));
    expected.put(
        "lastfix-gateway",
        Map.of(
            "topic " + config.kafka().locationTopicPrefix() + "*", writes,
            "topic " + config.devices().heartbeatsTopic(), writes,
            "topic " + config.devices().usageTopic(), both));
    if (hasJob(manifests, "analytics")) {
      expected.put(
          "lastfix-analytics",
          Map.of(
              "topic " + config.locatedTopic(), reads,
              "topic " + config.analytics().countsTopic(), writes,
              "group " + group + "-analytics", member));
      expected.put(
          "lastfix-console",
          Map.of(
              "topic lastfix.*",
              member,
              "group " + group + "*",
              EnumSet.of(AclOperation.DESCRIBE)));
    }

    assertThat(
            manifests.of(KafkaUser.class).stream()
                .collect(Collectors.toMap(it -> it.getMetadata().getName(), KafkaTest::rights)))
        .isEqualTo(expected);
  }

  /** Without the label Strimzi overlooks them; the namespace is where it looks. */
  @ParameterizedTest
  @MethodSource("committed")
  void strimzi_findsThem(Manifests manifests) {
    String cluster = manifests.name().equals("base") ? "lastfix" : "main";

    assertThat(manifests.of(KafkaTopic.class))
        .allSatisfy(
            it ->
                assertThat(it.getMetadata().getLabels())
                    .containsEntry("strimzi.io/cluster", cluster));
    assertThat(manifests.of(KafkaUser.class))
        .allSatisfy(
            it -> {
              assertThat(it.getMetadata().getLabels()).containsEntry("strimzi.io/cluster", cluster);
              assertThat(it.getSpec().getAuthentication().getType()).isEqualTo("scram-sha-512");
            });
    assertThat(jobs(manifests).kafka().bootstrapServers()).startsWith(cluster + "-kafka-bootstrap");
  }

  private static Map<String, Set<AclOperation>> rights(KafkaUser user) {
    return ((KafkaUserAuthorizationSimple) user.getSpec().getAuthorization())
        .getAcls().stream()
            .collect(
                Collectors.toMap(KafkaTest::resource, it -> EnumSet.copyOf(it.getOperations())));
  }

  private static String resource(AclRule rule) {
    if (rule.getResource() instanceof AclRuleTopicResource topic) {
      return "topic " + name(topic.getName(), topic.getPatternType());
    }
    AclRuleGroupResource group = (AclRuleGroupResource) rule.getResource();
    return "group " + name(group.getName(), group.getPatternType());
  }

  private static String name(String name, AclResourcePatternType pattern) {
    return pattern == AclResourcePatternType.PREFIX ? name + "*" : name;
  }

  private static boolean hasJob(Manifests manifests, String name) {
    return manifests.of(FlinkDeployment.class).stream()
        .anyMatch(it -> it.getMetadata().getName().equals("lastfix-" + name));
  }

  /** The jobs' configuration; its secrets are other texts. */
  private static LocationJobConfig jobs(Manifests manifests) {
    List<String> lines =
        manifests
            .get(ConfigMap.class, "lastfix-location")
            .getData()
            .get("location.yaml")
            .lines()
            .filter(it -> !it.contains("/etc/lastfix"))
            .toList();
    try {
      Path file = Files.createTempFile("lastfix", ".yaml");
      try {
        Files.write(file, lines);
        return LocationJobConfig.load(file, List.of());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
