package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one manifest says of another is true, and Secrets are those of docs/operate/kubernetes.md.
 */
class ReferencesTest {
  static List<Manifests> committed() {
    return Manifests.committed();
  }

  @ParameterizedTest
  @MethodSource("committed")
  void selectors_findPods(Manifests manifests) {
    List<PodTemplateSpec> pods = pods(manifests);

    for (Deployment deployment : manifests.of(Deployment.class)) {
      assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
          .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels());
    }
    for (Service service : manifests.of(Service.class)) {
      findsOne(pods, service.getSpec().getSelector(), service);
    }
    for (PodDisruptionBudget budget : manifests.of(PodDisruptionBudget.class)) {
      findsOne(pods, budget.getSpec().getSelector().getMatchLabels(), budget);
    }
    for (NetworkPolicy policy : manifests.of(NetworkPolicy.class)) {
      findsOne(pods, policy.getSpec().getPodSelector().getMatchLabels(), policy);
    }
    for (HorizontalPodAutoscaler scaler : manifests.of(HorizontalPodAutoscaler.class)) {
      Deployment scaled =
          manifests.get(Deployment.class, scaler.getSpec().getScaleTargetRef().getName());
      assertThat(scaled.getSpec().getReplicas()).as("two would set it").isNull();
    }
  }

  /** Every pod is behind a policy. */
  @ParameterizedTest
  @MethodSource("committed")
  void everyPod_hasANetworkPolicy(Manifests manifests) {
    List<Map<String, String>> selectors =
        manifests.of(NetworkPolicy.class).stream()
            .map(it -> it.getSpec().getPodSelector().getMatchLabels())
            .toList();

    assertThat(pods(manifests))
        .allSatisfy(
            pod ->
                assertThat(selectors)
                    .anySatisfy(
                        it -> assertThat(pod.getMetadata().getLabels()).containsAllEntriesOf(it)));
  }

  @ParameterizedTest
  @MethodSource("committed")
  void volumes_areThere(Manifests manifests) {
    Set<String> maps = names(manifests, ConfigMap.class);
    Set<String> claims = names(manifests, PersistentVolumeClaim.class);

    for (PodTemplateSpec pod : pods(manifests)) {
      assertThat(
              pod.getSpec().getContainers().get(0).getVolumeMounts().stream()
                  .map(VolumeMount::getName))
          .containsExactlyInAnyOrderElementsOf(
              pod.getSpec().getVolumes().stream().map(Volume::getName).toList());
      for (Volume volume : pod.getSpec().getVolumes()) {
        if (volume.getConfigMap() != null) {
          assertThat(maps).contains(volume.getConfigMap().getName());
        }
        if (volume.getPersistentVolumeClaim() != null) {
          assertThat(claims).contains(volume.getPersistentVolumeClaim().getClaimName());
        }
      }
    }
  }

  /** The Secrets that a user has to make, beside Strimzi's for users and authority. */
  @Test
  void secrets_areThoseOfTheDocument() {
    Set<String> secrets = new TreeSet<>();
    for (PodTemplateSpec pod : pods(Manifests.base())) {
      pod.getSpec().getVolumes().stream()
          .filter(it -> it.getSecret() != null)
          .forEach(it -> secrets.add(it.getSecret().getSecretName()));
    }

    assertThat(secrets)
        .containsExactly(
            "lastfix-cluster-ca-cert",
            "lastfix-devices",
            "lastfix-gateway",
            "lastfix-gateway-tls",
            "lastfix-group-keys",
            "lastfix-location",
            "lastfix-mongo");
    String document = Manifests.text(Manifests.DEPLOY.resolve("../docs/operate/kubernetes.md"));
    assertThat(secrets).allSatisfy(it -> assertThat(document).contains("`" + it + "`"));
  }

  /** A manifest has no secret itself. */
  @ParameterizedTest
  @MethodSource("committed")
  void noManifest_isASecret(Manifests manifests) {
    assertThat(manifests.all())
        .noneSatisfy(it -> assertThat(it.path("kind").asText()).isEqualTo("Secret"));
  }

  /** The chart's rules, dashboard and reporter are those that {@code lastfix up --metrics} has. */
  @ParameterizedTest
  @ValueSource(strings = {"flink-reporter.yaml", "lastfix-rules.yml", "lastfix-dashboard.json"})
  void filesOfMetrics_areThoseOfTheConfiguration(String file) {
    assertThat(Manifests.CHART.resolve("files").resolve(file))
        .hasSameTextualContentAs(Manifests.DEPLOY.resolve("../config/metrics").resolve(file));
  }

  @Test
  void everyPodThatStays_isReadByPrometheus() {
    Manifests manifests = Manifests.allOn();
    List<PodTemplateSpec> pods = permanentPods(manifests);
    List<PodMonitor> monitors = manifests.of(PodMonitor.class);

    for (PodMonitor monitor : monitors) {
      String port = monitor.getSpec().getPodMetricsEndpoints().get(0).getPort();
      assertThat(pods)
          .filteredOn(it -> matches(monitor, it))
          .isNotEmpty()
          .allSatisfy(
              it ->
                  assertThat(it.getSpec().getContainers().get(0).getPorts())
                      .extracting(ContainerPort::getName)
                      .contains(port));
    }
    assertThat(pods)
        .allSatisfy(it -> assertThat(monitors).filteredOn(by -> matches(by, it)).hasSize(1));
  }

  private static boolean matches(PodMonitor monitor, PodTemplateSpec pod) {
    return pod.getMetadata()
        .getLabels()
        .entrySet()
        .containsAll(monitor.getSpec().getSelector().getMatchLabels().entrySet());
  }

  /** The example of MongoDB has the roles that config/mongodb/create-roles.js makes. */
  @Test
  void rolesOfMongoDb_areThoseOfTheConfiguration() throws IOException {
    ObjectMapper json = new ObjectMapper();

    assertThat(json.readTree(Manifests.CHART.resolve("files/mongodb-roles.json").toFile()))
        .isEqualTo(
            json.readTree(Manifests.DEPLOY.resolve("../config/mongodb/roles.json").toFile()));
    MongoDbCommunity.Spec mongo = Manifests.allOn().of(MongoDbCommunity.class).get(0).getSpec();
    assertThat(mongo.security().roles())
        .extracting(MongoDbCommunity.CustomRole::role)
        .containsAll(
            mongo.users().stream()
                .flatMap(it -> it.roles().stream())
                .map(MongoDbCommunity.RoleReference::name)
                .toList());
  }

  private static void findsOne(
      List<PodTemplateSpec> pods, Map<String, String> selector, HasMetadata by) {
    assertThat(pods.stream().map(it -> it.getMetadata().getLabels()))
        .as(by.getKind() + " " + by.getMetadata().getName())
        .anySatisfy(it -> assertThat(it).containsAllEntriesOf(selector));
  }

  private static Set<String> names(Manifests manifests, Class<? extends HasMetadata> type) {
    return manifests.of(type).stream()
        .map(it -> it.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  private static List<PodTemplateSpec> pods(Manifests manifests) {
    List<PodTemplateSpec> pods = new ArrayList<>(permanentPods(manifests));
    manifests
        .of(CronJob.class)
        .forEach(it -> pods.add(it.getSpec().getJobTemplate().getSpec().getTemplate()));
    return pods;
  }

  private static List<PodTemplateSpec> permanentPods(Manifests manifests) {
    List<PodTemplateSpec> pods = new ArrayList<>();
    manifests.of(Deployment.class).forEach(it -> pods.add(it.getSpec().getTemplate()));
    for (FlinkDeployment job : manifests.of(FlinkDeployment.class)) {
      pods.add(job.getSpec().getJobManager().getPodTemplate());
      pods.add(job.getSpec().getTaskManager().getPodTemplate());
    }
    return pods;
  }
}
