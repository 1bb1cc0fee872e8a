package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.lastfix.gateway.GatewayConfig;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.notify.NotifyConfig;
import io.lastfix.store.connect.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ConfigMaps, read by the programs' own checks, with the files that their pods mount. So a
 * misspelt key, a wrong value, or a file that no pod mounts fails here.
 */
class ConfigurationTest {
  private static final String ROOT = "/etc/lastfix";

  private static String authority = "";

  @TempDir private Path root;

  /** Once, because keytool takes seconds. */
  @BeforeAll
  static void makeAuthority(@TempDir Path folder) throws Exception {
    authority = new TestAuthority(folder).certificate();
  }

  static List<Manifests> committed() {
    return Manifests.committed();
  }

  @ParameterizedTest
  @MethodSource("committed")
  void theJobs_acceptTheirConfiguration(Manifests manifests) throws IOException {
    for (FlinkDeployment job : manifests.of(FlinkDeployment.class)) {
      mount(job.getSpec().getJobManager().getPodTemplate().getSpec());
      Path config = config(manifests, "location");

      LocationJobConfig read = LocationJobConfig.load(config, List.of());

      assertThat(job.getSpec().getJob().getArgs())
          .containsExactly("--config", ROOT + "/config/location.yaml");
      assertThat(read.kafka().createTopics()).isFalse();
      assertThat(read.historyMongo().uri()).startsWith("mongodb://lastfix:");
      // The FlinkDeployment says it, and the operator could not change it otherwise.
      assertThat(read.parallelism()).isNull();
    }
  }

  /** The command turns it to the console's own configuration. */
  @ParameterizedTest
  @MethodSource("committed")
  void theConsole_acceptsTheJobsConfiguration(Manifests manifests) throws IOException {
    for (Deployment console : manifests.of(Deployment.class)) {
      if (!console.getMetadata().getName().endsWith("-console")) {
        continue;
      }
      PodSpec pod = console.getSpec().getTemplate().getSpec();
      mount(pod);

      assertThat(LocationJobConfig.load(config(manifests, "location"), List.of()).locatedTopic())
          .isNotNull();
      assertThat(pod.getContainers().get(0).getArgs())
          .contains(
              "--config=" + ROOT + "/config/location.yaml",
              "--token-file=" + ROOT + "/token/token");
      assertThat(root.resolve("token/token")).isRegularFile();
    }
  }

  /** It finds the files that the jobs' configuration names. */
  @Test
  void theAnalysisOfLateRecords_acceptsTheJobsConfiguration() throws IOException {
    Manifests manifests = Manifests.allOn();
    PodSpec pod =
        manifests
            .get(CronJob.class, "lastfix-analyze-late")
            .getSpec()
            .getJobTemplate()
            .getSpec()
            .getTemplate()
            .getSpec();
    mount(pod);

    assertThat(LocationJobConfig.load(config(manifests, "location"), List.of()).locatedTopic())
        .isNotNull();
    assertThat(pod.getContainers().get(0).getArgs())
        .containsExactly(
            "analyze",
            "late",
            "--config=" + ROOT + "/config/location.yaml",
            "--flink=http://flink-session-rest:8081");
  }

  /** One that hangs keeps the next ones from running. */
  @Test
  void theAnalysisOfLateRecords_ends_andReachesItsFlink() throws IOException {
    Manifests manifests = Manifests.allOn();

    assertThat(
            manifests
                .get(CronJob.class, "lastfix-analyze-late")
                .getSpec()
                .getJobTemplate()
                .getSpec()
                .getActiveDeadlineSeconds())
        .isEqualTo(Duration.ofHours(6).toSeconds());
    assertThat(
            manifests
                .get(NetworkPolicy.class, "lastfix-analyze-late")
                .getSpec()
                .getEgress()
                .stream()
                .flatMap(rule -> rule.getPorts().stream())
                .map(port -> port.getPort().getIntVal()))
        .contains(8081);
  }

  @ParameterizedTest
  @MethodSource("committed")
  void theGateway_acceptsItsConfiguration(Manifests manifests) throws IOException {
    PodSpec pod =
        manifests.get(Deployment.class, "lastfix-gateway").getSpec().getTemplate().getSpec();
    mount(pod);

    GatewayConfig read = GatewayConfig.load(config(manifests, "gateway"), List.of());

    assertThat(read.access().of("records")).isEqualTo(AccessMode.SIGNED);
    assertThat(read.http().port())
        .isEqualTo(pod.getContainers().get(0).getPorts().get(0).getContainerPort());
    assertThat(read.mqtt()).isNull();
    assertThat(read.quota()).isNotNull();
    assertThat(read.quota().gateways())
        .as("as many gateways as there may be")
        .isEqualTo(
            manifests
                .get(HorizontalPodAutoscaler.class, "lastfix-gateway")
                .getSpec()
                .getMaxReplicas());
    assertThat(pod.getTerminationGracePeriodSeconds())
        .as("the time that a stop takes")
        .isGreaterThan(
            read.http()
                .lameDuck()
                .plus(read.http().drainTimeout())
                .plus(read.kafka().deliveryTimeout())
                .toSeconds());
    assertThat(pod.getContainers().get(0).getReadinessProbe().getPeriodSeconds())
        .as("so that a stopping gateway gets no new requests")
        .isLessThan((int) read.http().lameDuck().toSeconds());
  }

  @Test
  void notify_acceptsItsConfiguration() throws IOException {
    Manifests manifests = Manifests.allOn();
    PodSpec pod =
        manifests.get(Deployment.class, "lastfix-notify").getSpec().getTemplate().getSpec();
    mount(pod);

    NotifyConfig read = NotifyConfig.load(config(manifests, "notify"), List.of());

    assertThat(read.webhooks()).containsOnlyKeys("dispatch");
    assertThat(read.alertmanager()).isNotNull();
    assertThat(read.kafka().createTopics()).isFalse();
    assertThat(read.http().port())
        .isEqualTo(pod.getContainers().get(0).getPorts().get(0).getContainerPort());
    assertThat(pod.getTerminationGracePeriodSeconds())
        .as("the time that a stop takes")
        .isGreaterThan(read.delivery().drainTimeout().toSeconds());
  }

  /** What records the gateways accept, the job reads. */
  @ParameterizedTest
  @MethodSource("committed")
  void gatewayAndJob_haveTheSameProfiles(Manifests manifests) throws IOException {
    mount(
        manifests
            .of(FlinkDeployment.class)
            .get(0)
            .getSpec()
            .getJobManager()
            .getPodTemplate()
            .getSpec());
    mount(manifests.get(Deployment.class, "lastfix-gateway").getSpec().getTemplate().getSpec());

    assertThat(GatewayConfig.load(config(manifests, "gateway"), List.of()).profiles())
        .containsExactlyInAnyOrderElementsOf(
            LocationJobConfig.load(config(manifests, "location"), List.of()).profileNames());
  }

  /** A file with the content of a ConfigMap, for this machine. */
  private Path config(Manifests manifests, String name) throws IOException {
    String text = manifests.get(ConfigMap.class, "lastfix-" + name).getData().get(name + ".yaml");
    return Files.writeString(root.resolve(name + ".yaml"), text.replace(ROOT, root.toString()));
  }

  /** Makes the files that a pod mounts from Secrets, below {@link #root}. */
  private void mount(PodSpec pod) throws IOException {
    Map<String, Volume> volumes = new HashMap<>();
    pod.getVolumes().forEach(it -> volumes.put(it.getName(), it));
    for (VolumeMount mount : pod.getContainers().get(0).getVolumeMounts()) {
      Volume volume = volumes.get(mount.getName());
      assertThat(volume).as("volume " + mount.getName()).isNotNull();
      if (volume.getSecret() == null) {
        continue;
      }
      assertThat(mount.getMountPath()).startsWith(ROOT + "/");
      Path folder = root.resolve(mount.getMountPath().substring(ROOT.length() + 1));
      Files.createDirectories(folder);
      List<KeyToPath> items = volume.getSecret().getItems();
      // Without a choice of keys all are there: these, for the values of all-on.
      for (String file :
          items.isEmpty()
              ? List.of("key", "users", "dispatch")
              : items.stream().map(KeyToPath::getPath).toList()) {
        Files.writeString(folder.resolve(file), content(file));
      }
    }
  }

  private static String content(String file) {
    return switch (file) {
      case "uri" -> "mongodb://lastfix:secret@mongodb/?replicaSet=rs0&tls=true\n";
      case "ca.crt" -> authority;
      case "users" -> "jane:" + "0123456789abcdef".repeat(4) + "\n";
      case "dispatch" -> "whsec_" + "01234567".repeat(4) + "\n";
      default -> "a secret of more than 16 characters\n";
    };
  }
}
