package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.recipe.Recipe;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Renders a copy of the chart with the job that {@code docs/extend/job.md} adds. */
@EnabledIf(value = "io.lastfix.deploy.Helm#isInstalled", disabledReason = "helm is not on the PATH")
class AddedJobTest {
  @TempDir private Path folder;

  @Test
  void theTemplates_neededNoChange() throws Exception {
    Path chart = Manifests.copyOfChart(folder);
    try (Recipe recipe = new Recipe("A job", Files.createDirectory(folder.resolve("recipe")))) {
      Files.writeString(
          chart.resolve("values.yaml"), recipe.text("deploy/helm/lastfix/values.yaml"));
      Files.writeString(
          chart.resolve("files/jobs.yaml"),
          recipe.call(JobsFileTest.class.getName(), "text").toString());
    }

    Helm.Result result = Helm.templateOf(chart, "--set", "jobs.far.enabled=true");

    assertThat(result.code()).as(result.text()).isZero();
    Manifests made = new Manifests("with the job", Manifests.parse(result.text()));
    assertThat(made.get(FlinkDeployment.class, "lastfix-far").getSpec().getJob().getEntryClass())
        .isEqualTo("io.lastfix.jobs.FarJob");
    assertThat(KafkaTest.rights(made.get(KafkaUser.class, "lastfix-far")).keySet())
        .containsExactlyInAnyOrder("topic lastfix.located", "group lastfix-location-far");
    assertThat(KafkaTest.rights(made.get(KafkaUser.class, "lastfix-location")))
        .as("what it reads is written")
        .containsKey("topic lastfix.located");
  }
}
