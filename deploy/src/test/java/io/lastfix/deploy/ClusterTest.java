package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a real API server says. It needs the definitions of the operators' resources, and no node.
 * The operators must not watch new namespaces, because this test installs jobs that cannot run.
 */
@EnabledIf(
    value = "io.lastfix.deploy.Cluster#isGiven",
    disabledReason = "LASTFIX_KUBECONFIG names no cluster, or helm or kubectl is not on the PATH")
class ClusterTest {
  private static final String CHART = Manifests.CHART.toString();

  private @Nullable Cluster cluster;

  @BeforeEach
  void open() {
    cluster = Cluster.open();
  }

  @AfterEach
  void close() {
    // Absent if it was not opened, whose failure counts.
    if (cluster != null) {
      cluster.close();
    }
  }

  static Stream<Manifests> all() {
    return ManifestsTest.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theServer_takesEveryManifestWithoutAWarning(Manifests manifests) {
    Helm.Result result = cluster.tryApply(manifests.all());

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).doesNotContain("Warning");
  }

  /** Else the test above would say nothing. */
  @Test
  void theServer_refusesUnknownFieldsAndValues() {
    for (String kind : List.of("FlinkDeployment", "KafkaTopic", "KafkaUser", "Deployment")) {
      ObjectNode changed = first(kind);
      ((ObjectNode) changed.path("spec")).put("mistyped", "x");
      assertThat(cluster.tryApply(List.of(changed)).text()).contains("mistyped");
    }
    ObjectNode job = first("FlinkDeployment");
    ((ObjectNode) job.at("/spec/job")).put("upgradeMode", "last_state");
    assertThat(cluster.tryApply(List.of(job)).text()).contains("Unsupported value: \"last_state\"");
  }

  /** The operator makes the jobs' pods of these templates. */
  @Test
  void theRestrictedStandard_admitsThePodsOfJobs() {
    List<ObjectNode> pods = new ArrayList<>();
    for (String role : List.of("jobManager", "taskManager")) {
      JsonNode template = first("FlinkDeployment").at("/spec/" + role + "/podTemplate");
      ObjectNode pod = template.deepCopy();
      pod.put("apiVersion", "v1").put("kind", "Pod");
      pod.withObject("/metadata").put("name", role.toLowerCase(Locale.ROOT));
      ((ObjectNode) pod.at("/spec/containers/0")).put("image", "lastfix-job");
      pods.add(pod);
    }

    Helm.Result admitted = cluster.tryApply(pods);
    pods.forEach(it -> ((ObjectNode) it.at("/spec/containers/0")).remove("securityContext"));
    Helm.Result refused = cluster.tryApply(pods);

    assertThat(admitted.code()).as(admitted.text()).isZero();
    assertThat(refused.text()).contains("violates PodSecurity \"restricted");
  }

  @Test
  void anUpgrade_changesWhatItIsFor() {
    cluster.helm("install", "lastfix", CHART);
    Map<String, JsonNode> installed = specs();

    cluster.helm("upgrade", "lastfix", CHART);
    Map<String, JsonNode> same = specs();
    cluster.helm("upgrade", "lastfix", CHART, "--set", "location.config.history\\.period=DAY");
    Map<String, JsonNode> configured = specs();
    cluster.helm("upgrade", "lastfix", CHART, "--set", "jobs.location.parallelism=4");
    Map<String, JsonNode> parallel = specs();
    cluster.helm("rollback", "lastfix", "1");

    assertThat(same).isEqualTo(installed);
    assertThat(changes(installed, configured))
        .containsExactlyInAnyOrder(
            "ConfigMap lastfix-location",
            "FlinkDeployment lastfix-location",
            "FlinkDeployment lastfix-devices");
    assertThat(changes(installed, parallel)).containsExactly("FlinkDeployment lastfix-location");
    assertThat(specs()).isEqualTo(installed);
  }

  /** A job that is switched off keeps its state, and runs until its FlinkDeployment is deleted. */
  @Test
  void whatHoldsData_outlivesItsReleaseAndItsSwitch() {
    cluster.helm("install", "lastfix", CHART);
    Map<String, JsonNode> installed = specs();

    cluster.helm("upgrade", "lastfix", CHART, "--set", "jobs.devices.enabled=false");
    Map<String, JsonNode> switchedOff = specs();
    cluster.helm("uninstall", "lastfix");
    Set<String> left = specs().keySet();
    cluster.helm("install", "lastfix", CHART);

    assertThat(switchedOff).isEqualTo(installed);
    assertThat(left)
        .contains(
            "FlinkDeployment lastfix-location",
            "FlinkDeployment lastfix-devices",
            "KafkaTopic lastfix.rejected",
            "KafkaUser lastfix-location",
            "PersistentVolumeClaim lastfix-state",
            "ConfigMap lastfix-location",
            "ServiceAccount lastfix-flink")
        .doesNotContain("Deployment lastfix-gateway", "ConfigMap lastfix-gateway");
    assertThat(specs()).containsOnlyKeys(installed.keySet());
  }

  private static ObjectNode first(String kind) {
    return Manifests.base().all().stream()
        .filter(it -> it.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow()
        .deepCopy();
  }

  /**
   * What the chart decides of each object, without what controllers add to it. A Role has rules, a
   * RoleBinding a role and subjects, and neither has a spec.
   */
  private Map<String, JsonNode> specs() {
    Map<String, JsonNode> specs = new TreeMap<>();
    for (JsonNode object : cluster.objects()) {
      if (object.path("spec") instanceof ObjectNode spec) {
        // The autoscaler, and the binding of a volume.
        spec.remove(List.of("replicas", "volumeName"));
      }
      specs.put(
          object.path("kind").asText() + " " + object.at("/metadata/name").asText(),
          decided(object));
    }
    return specs;
  }

  static ObjectNode decided(JsonNode object) {
    ObjectNode decided = JsonNodeFactory.instance.objectNode();
    for (String field : List.of("spec", "data", "rules", "roleRef", "subjects")) {
      if (object.has(field)) {
        decided.set(field, object.path(field));
      }
    }
    return decided;
  }

  private static Set<String> changes(Map<String, JsonNode> before, Map<String, JsonNode> after) {
    Set<String> names = new HashSet<>(before.keySet());
    names.addAll(after.keySet());
    JsonNode none = MissingNode.getInstance();
    return names.stream()
        .filter(it -> !after.getOrDefault(it, none).equals(before.getOrDefault(it, none)))
        .collect(Collectors.toSet());
  }
}
