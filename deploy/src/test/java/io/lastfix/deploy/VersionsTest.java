package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The POMs have the versions of which the chart, the images and a page are. */
class VersionsTest {
  /** Surefire passes it. */
  private static final String VERSION = System.getProperty("lastfix.version", "");

  /** Behind an image's name; kustomize has it apart. */
  private static final Pattern TAG =
      Pattern.compile("(?:\\blastfix-[a-z-]+:|newTag: )(\\d+\\.[\\w.-]*\\w)");

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
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deploy/kustomize/base/kustomization.yaml",
        "docker/kubernetes/kustomization.yaml",
        "docker/kubernetes/jobmanager.yaml",
        "docker/kubernetes/taskmanager.yaml",
        "docker/compose.yaml",
        "docker/Dockerfile",
        "docker/gateway.Dockerfile",
        "docker/notify.Dockerfile",
        "docker/command.Dockerfile",
        "docs/operate/docker.md",
        "docs/operate/containers.md",
        "docs/operate/kubernetes.md"
      })
  void eachTagOfAnImageOfOurs_isTheProjectsVersion(String file) {
    assertThat(TAG.matcher(Manifests.text(Manifests.DEPLOY.resolve("..").resolve(file))).results())
        .isNotEmpty()
        .allSatisfy(tag -> assertThat(tag.group(1)).isEqualTo(VERSION));
  }

  /** The tests of the build run against these. */
  @Test
  void thePageOfVersions_hasThoseOfThePoms() {
    Path root = Manifests.DEPLOY.resolve("..");
    String parent = Manifests.text(root.resolve("pom.xml"));
    String ours = Manifests.text(Manifests.DEPLOY.resolve("pom.xml"));

    assertThat(Manifests.text(root.resolve("docs/compatibility.md")))
        .contains(
            "| Flink | %s; for `lastfix sql` %s |"
                .formatted(property(parent, "flink"), property(parent, "flink-sql")),
            "| Kafka, brokers | %s |".formatted(property(parent, "kafka")),
            "| flink-kubernetes-operator | %s |"
                .formatted(property(ours, "flink-kubernetes-operator")),
            "| Strimzi | %s: ".formatted(property(ours, "strimzi")),
            "MongoDB's Java driver %s, Flink's Kafka connector %s, Kafka's client %s."
                .formatted(
                    property(parent, "mongodb"),
                    property(parent, "flink-connector-kafka"),
                    property(parent, "kafka")));
  }

  private static String property(String pom, String name) {
    Matcher version =
        Pattern.compile("<%1$s.version>([^<]+)</%1$s.version>".formatted(name)).matcher(pom);
    assertThat(version.find()).as(name).isTrue();
    return version.group(1);
  }
}
