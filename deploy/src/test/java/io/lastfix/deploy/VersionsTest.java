package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;

/** The version of the project is that of the chart and of the images; the POM has it. */
class VersionsTest {
  /** Surefire passes it. */
  private static final String VERSION = System.getProperty("lastfix.version", "");

  @Test
  void chartAndImages_haveTheProjectsVersion() {
    ObjectNode chart = Manifests.read(Manifests.CHART.resolve("Chart.yaml")).get(0);

    assertThat(VERSION).isNotBlank();
    assertThat(chart.path("version").asText()).isEqualTo(VERSION);
    assertThat(chart.path("appVersion").asText()).isEqualTo(VERSION);
    for (Manifests manifests : Manifests.committed()) {
      assertThat(manifests.of(FlinkDeployment.class))
          .allSatisfy(it -> assertThat(it.getSpec().getImage()).endsWith("lastfix-job:" + VERSION));
      assertThat(manifests.of(CronJob.class))
          .allSatisfy(
              it ->
                  assertThat(
                          it.getSpec()
                              .getJobTemplate()
                              .getSpec()
                              .getTemplate()
                              .getSpec()
                              .getContainers()
                              .get(0)
                              .getImage())
                      .endsWith("lastfix-command:" + VERSION));
      assertThat(manifests.of(Deployment.class))
          .allSatisfy(
              it ->
                  assertThat(it.getSpec().getTemplate().getSpec().getContainers().get(0).getImage())
                      .endsWith(":" + VERSION));
    }
    ObjectNode kustomization = Manifests.read(Manifests.BASE.resolve("kustomization.yaml")).get(0);
    assertThat(kustomization.path("images"))
        .allSatisfy(it -> assertThat(it.path("newTag").asText()).isEqualTo(VERSION));
  }
}
