package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What kustomize makes of the base and of an overlay, where kubectl is installed. */
@EnabledIf(
    value = "io.lastfix.deploy.Helm#isKubectlInstalled",
    disabledReason = "kubectl is not on the PATH")
class KustomizeTest {
  @TempDir private Path overlays;

  @Test
  void theBase_isReadable() {
    Manifests made = make(Manifests.BASE);

    assertThat(made.all()).hasSameSizeAs(Manifests.base().all()).allSatisfy(StrictReader::read);
    assertThat(made.all())
        .allSatisfy(it -> assertThat(it.at("/metadata/namespace").asText()).isEqualTo("lastfix"));
    assertThat(configMapOfTheJob(made))
        .startsWith("lastfix-location-")
        .isIn(made.of(ConfigMap.class).stream().map(it -> it.getMetadata().getName()).toList());
  }

  /** As docs/operate/kubernetes.md says: registry, tag and configuration of one's own. */
  @Test
  void anOverlay_changesImagesAndConfiguration() throws IOException {
    Path overlay = Files.createDirectory(overlays.resolve("overlay"));
    Files.writeString(
        overlay.resolve("location.yaml"),
        Manifests.text(Manifests.BASE.resolve("location.yaml")) + "history.period: DAY\n");
    Files.writeString(
        overlay.resolve("kustomization.yaml"),
        """
        resources:
          - %s
        configMapGenerator:
          - name: lastfix-location
            behavior: replace
            files: [location.yaml]
        configurations:
          - %s
        images:
          - name: lastfix-job
            newName: registry.example/lastfix-job
            newTag: 1.2.3
        """
            .formatted(
                overlay.toRealPath().relativize(Manifests.BASE.toRealPath()),
                "flinkdeployment.yaml"));
    Files.copy(
        Manifests.BASE.resolve("flinkdeployment.yaml"), overlay.resolve("flinkdeployment.yaml"));

    Manifests before = make(Manifests.BASE);
    Manifests after = make(overlay);

    FlinkDeployment job = after.get(FlinkDeployment.class, "lastfix-location");
    assertThat(job.getSpec().getImage()).isEqualTo("registry.example/lastfix-job:1.2.3");
    assertThat(configMapOfTheJob(after)).isNotEqualTo(configMapOfTheJob(before));
    assertThat(after.get(ConfigMap.class, configMapOfTheJob(after)).getData().get("location.yaml"))
        .contains("history.period: DAY");
    assertThat(after.get(Deployment.class, "lastfix-gateway").getSpec().getTemplate())
        .isEqualTo(before.get(Deployment.class, "lastfix-gateway").getSpec().getTemplate());
  }

  private static String configMapOfTheJob(Manifests manifests) {
    return manifests
        .get(FlinkDeployment.class, "lastfix-location")
        .getSpec()
        .getJobManager()
        .getPodTemplate()
        .getSpec()
        .getVolumes()
        .stream()
        .map(Volume::getConfigMap)
        .filter(it -> it != null)
        .findFirst()
        .orElseThrow()
        .getName();
  }

  private static Manifests make(Path folder) {
    Helm.Result result = Helm.kustomize(folder);
    assertThat(result.code()).as(result.text()).isZero();
    List<ObjectNode> all = Manifests.parse(result.text());
    return new Manifests(folder.getFileName().toString(), all);
  }
}
