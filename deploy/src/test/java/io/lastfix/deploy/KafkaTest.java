package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.lastfix.gateway.GatewayConfig;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.JobTopic;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.rules.alert.AlertTopics;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Topics and rights in Kafka are those of the code. */
class KafkaTest {
  /** What the chart decides beside the jobs: how long and how often data is kept. */
  private static final Set<String> OF_THE_CHART = Set.of("retention.ms", "min.insync.replicas");

  /** The broker's default, which the chart states: the jobs refuse another value. */
  private static final Map<String, String> NOT_COMPACTED = Map.of("cleanup.policy", "delete");

  private static final Set<AclOperation> MEMBER =
      EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE);

  static List<Manifests> committed() {
    return Manifests.committed();
  }

  @ParameterizedTest
  @MethodSource("committed")
  void topics_areThoseThatTheJobsWouldMake(Manifests manifests) {
    LocationJobConfig config = jobs(manifests);
    Map<String, Map<String, String>> expected = new TreeMap<>(KafkaTopics.settings(config));
    if (config.locatedTopic() != null) {
      expected.put(config.locatedTopic(), NOT_COMPACTED);
    }
    expected.put(config.rules().alertsTopic(), NOT_COMPACTED);
    // The topics of the devices job are there for the gateways, too.
    for (Jobs.Job job : Jobs.of(Jobs.Kind.STREAM)) {
      if (!hasJob(manifests, job.name()) && !job.equals(Jobs.DEVICES)) {
        job.writes().forEach(topic -> expected.remove(topic.nameIn(config)));
      }
    }
    if (hasDeployment(manifests, "lastfix-notify")) {
      Map<String, String> undelivered =
          new HashMap<>(AlertTopics.undelivered(AlertTopics.UNDELIVERED).settings());
      undelivered.keySet().removeAll(OF_THE_CHART);
      undelivered.putAll(NOT_COMPACTED);
      expected.put(AlertTopics.UNDELIVERED, undelivered);
    }

    Map<String, Map<String, String>> found = new TreeMap<>();
    for (KafkaTopic topic : manifests.of(KafkaTopic.class)) {
      Map<String, String> settings = new HashMap<>();
      topic.getSpec().getConfig().forEach((key, value) -> settings.put(key, value.toString()));
      settings.keySet().removeAll(OF_THE_CHART);
      found.put(topic.getMetadata().getName(), settings);
      assertThat(topic.getSpec().getPartitions())
          .as("partitions of %s", topic.getMetadata().getName())
          .matches(
              partitions ->
                  KafkaTopics.ofOnePartition(config).contains(topic.getMetadata().getName())
                      == (partitions == 1));
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

  @Test
  void aKeyOfJobsAndGatewayHasTheSameDefaultInBoth() throws IOException {
    Map<String, String> ofBoth = defaults("gateway.yaml");
    Map<String, String> ofJobs = defaults("location.yaml");
    ofBoth.keySet().retainAll(ofJobs.keySet());

    assertThat(ofBoth).containsKey("kafka.new-topic.replication");
    assertThat(ofJobs).containsAllEntriesOf(ofBoth);
  }

  private static Map<String, String> defaults(String file) throws IOException {
    return Pattern.compile("(?m)^([a-z0-9.-]+): (.+)$")
        .matcher(Files.readString(Manifests.DEPLOY.resolve("../config").resolve(file)))
        .results()
        .collect(Collectors.toMap(key -> key.group(1), key -> key.group(2)));
  }

  /** Each job may do what {@link Jobs} says, the others what docs/reference/topics.md says. */
  @ParameterizedTest
  @MethodSource("committed")
  void users_haveTheRightsOfTheirComponent(Manifests manifests) {
    LocationJobConfig config = jobs(manifests);
    Set<AclOperation> writes =
        EnumSet.of(AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.DESCRIBECONFIGS);
    Set<AclOperation> both = EnumSet.copyOf(writes);
    both.add(AclOperation.READ);
    Map<String, Map<String, Set<AclOperation>>> expected = new TreeMap<>();
    for (Jobs.Job job : Jobs.of(Jobs.Kind.STREAM)) {
      if (hasJob(manifests, job.name())) {
        expected.put("lastfix-" + job.name(), rightsOf(job, config));
      }
    }
    expected.put(
        "lastfix-gateway",
        Map.of(
            "topic " + config.kafka().locationTopicPrefix() + "*", writes,
            "topic " + config.devices().heartbeatsTopic(), writes,
            "topic " + config.devices().usageTopic(), both));
    if (hasDeployment(manifests, "lastfix-notify")) {
      expected.put(
          "lastfix-notify",
          Map.of(
              "topic lastfix.alerts",
              EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBECONFIGS),
              "topic lastfix.alerts.undelivered",
              writes,
              "group lastfix-notify-*",
              MEMBER));
    }
    if (hasDeployment(manifests, "lastfix-console")) {
      expected.put(
          "lastfix-console",
          Map.of(
              "topic lastfix.*",
              MEMBER,
              "group " + config.kafka().groupId() + "*",
              EnumSet.of(AclOperation.DESCRIBE)));
    }

    assertThat(
            manifests.of(KafkaUser.class).stream()
                .collect(Collectors.toMap(it -> it.getMetadata().getName(), KafkaTest::rights)))
        .isEqualTo(expected)
        .containsKeys("lastfix-location", "lastfix-devices");
    // So that the description and the chart do not agree on a mistake.
    Set<AclOperation> reads =
        EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBECONFIGS);
    String group = config.kafka().groupId();
    Map<String, Set<AclOperation>> location =
        new HashMap<>(
            Map.of(
                "topic " + config.kafka().locationTopicPrefix() + "*", reads,
                "topic " + config.kafka().cellsTopic(), reads,
                "topic " + config.kafka().rejectedTopic(), writes,
                "group " + group, MEMBER,
                "group " + group + "-cells-*", MEMBER));
    if (config.locatedTopic() != null) {
      location.put("topic " + config.locatedTopic(), writes);
    }
    assertThat(expected.get("lastfix-location")).isEqualTo(location);
    if (hasJob(manifests, "analytics")) {
      assertThat(expected.get("lastfix-analytics"))
          .isEqualTo(
              Map.of(
                  "topic " + config.locatedTopic(), reads,
                  "topic " + config.analytics().countsTopic(), writes,
                  "group " + group + "-analytics", MEMBER));
    }
    if (hasJob(manifests, "rules")) {
      assertThat(expected.get("lastfix-rules"))
          .isEqualTo(
              Map.of(
                  "topic " + config.locatedTopic(),
                  reads,
                  "topic lastfix.presence",
                  reads,
                  "topic lastfix.rules",
                  both,
                  "topic lastfix.devices",
                  reads,
                  "topic lastfix.rules.applied",
                  writes,
                  "topic lastfix.alerts",
                  writes,
                  "group " + group + "-rules",
                  MEMBER,
                  "topic " + config.kafka().locationTopicPrefix() + "*",
                  MEMBER,
                  "group " + group,
                  EnumSet.of(AclOperation.DESCRIBE)));
    }
    assertThat(expected.get("lastfix-devices"))
        .isEqualTo(
            Map.of(
                "topic lastfix.heartbeats",
                reads,
                "topic lastfix.presence",
                writes,
                "topic lastfix.devices",
                writes,
                "group lastfix-location-devices",
                MEMBER));
  }

  /** What a job needs if the chart creates the topics. */
  private static Map<String, Set<AclOperation>> rightsOf(Jobs.Job job, LocationJobConfig config) {
    Map<String, Set<AclOperation>> rights = new HashMap<>();
    job.topics().stream()
        .filter(topic -> topic.nameIn(config) != null)
        .forEach(
            topic ->
                rights.put(
                    "topic " + topic.nameIn(config) + (topic.isPrefix() ? "*" : ""),
                    job.rights(topic).stream()
                        .map(JobsFileTest::asStrimziSays)
                        .filter(it -> it != AclOperation.CREATE && it != AclOperation.ALTERCONFIGS)
                        .collect(Collectors.toSet())));
    rights.put("group " + job.groupId(config.kafka()), MEMBER);
    if (job.reads().contains(JobTopic.CELLS)) {
      rights.put("group " + CatalogGroup.prefix(job.groupId(config.kafka())) + "*", MEMBER);
    }
    if (job.equals(Jobs.RULES)) {
      // Event time waits for the location job.
      rights.put("topic " + config.kafka().locationTopicPrefix() + "*", MEMBER);
      rights.put(
          "group " + Jobs.LOCATION.groupId(config.kafka()), EnumSet.of(AclOperation.DESCRIBE));
    }
    return rights;
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

  /** The operations that a user may do, by resource. */
  static Map<String, Set<AclOperation>> rights(KafkaUser user) {
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

  private static boolean hasDeployment(Manifests manifests, String name) {
    return manifests.of(Deployment.class).stream()
        .anyMatch(it -> it.getMetadata().getName().equals(name));
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
