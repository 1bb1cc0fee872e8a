package io.lastfix.deploy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.GatewayConfig;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.recipe.Recipe;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ships the format that {@code docs/extend/format.md} adds, with the gateway and in a copy of the
 * chart.
 */
class AddedFormatTest {
  private static final Path ROOT = Manifests.DEPLOY.resolve("..").normalize();

  @TempDir private Path folder;

  @Test
  void theGateway_acceptsIt() throws Exception {
    try (Recipe recipe = new Recipe("A record format", folder)) {
      assertThat(recipe.call(OfTheGateway.class.getName(), "profiles").toString())
          .contains("beacon, ");
    }
  }

  /** Loaded as the changed clone has it. */
  static final class OfTheGateway {
    private OfTheGateway() {}

    static Object profiles() {
      return GatewayConfig.load(null, List.of()).profiles();
    }
  }

  @Test
  @EnabledIf(
      value = "io.lastfix.deploy.Helm#isInstalled",
      disabledReason = "helm is not on the PATH")
  void theChart_makesItsTopic() throws Exception {
    Path chart = Manifests.copyOfChart(folder);
    try (Recipe recipe =
        new Recipe("A record format", Files.createDirectory(folder.resolve("recipe")))) {
      Files.writeString(
          chart.resolve("files/jobs.yaml"),
          recipe.call(JobsFileTest.class.getName(), "text").toString());
    }

    Helm.Result result = Helm.templateOf(chart);

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(new Manifests("added", Manifests.parse(result.text())).of(KafkaTopic.class))
        .extracting(it -> it.getMetadata().getName())
        .contains("lastfix.location.arcanum", "lastfix.location.beacon");
  }

  /** Those that are generated; the page names them. */
  @Test
  void noOtherFile_listsTheProfiles() throws IOException {
    List<String> names = LocationJobConfig.load(null, List.of(), variable -> null).profileNames();
    List<String> listing = new ArrayList<>();
    for (Path part : parts()) {
      try (Stream<Path> files = Files.walk(part)) {
        files
            .filter(Files::isRegularFile)
            .filter(file -> hasLineWithAll(file, names))
            .forEach(file -> listing.add(ROOT.relativize(file).toString()));
      }
    }
    assertThat(listing)
        .containsExactlyInAnyOrder(
            "config/location.yaml",
            "config/gateway.yaml",
            "docs/reference/configuration.md",
            "docs/reference/gateway.md");
  }

  private static List<Path> parts() throws IOException {
    List<Path> parts =
        new ArrayList<>(
            Stream.of("config", "docs", "docker", "deploy/helm").map(ROOT::resolve).toList());
    try (Stream<Path> modules = Files.list(ROOT)) {
      modules.map(it -> it.resolve("src")).filter(Files::isDirectory).forEach(parts::add);
    }
    return parts;
  }

  private static boolean hasLineWithAll(Path file, List<String> names) {
    try {
      return Files.readString(file, ISO_8859_1)
          .lines()
          .anyMatch(line -> names.stream().allMatch(line::contains));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
