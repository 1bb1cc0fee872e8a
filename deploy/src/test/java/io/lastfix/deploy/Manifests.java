package io.lastfix.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The manifests of one rendering. The committed ones are what the chart renders: {@link ChartTest}
 * compares them where helm is installed, so that the other tests need no helm.
 *
 * @param name for messages
 */
record Manifests(String name, List<ObjectNode> all) {
  /** The folder of this module. */
  static final Path DEPLOY = Path.of("").toAbsolutePath();

  static final Path CHART = DEPLOY.resolve("helm/lastfix");
  static final Path BASE = DEPLOY.resolve("kustomize/base");
  static final Path ALL_ON = DEPLOY.resolve("src/test/resources/all-on.yaml");

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
              .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
              .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
              .disable(YAMLGenerator.Feature.SPLIT_LINES)
              .build());

  Manifests {
    all = List.copyOf(all);
  }

  /** The chart with its default values, as the base of kustomize. */
  static Manifests base() {
    List<ObjectNode> all = new ArrayList<>(read(BASE.resolve("resources.yaml")));
    for (String config : List.of("location", "gateway")) {
      ObjectNode map = YAML.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
      map.putObject("metadata").put("name", "lastfix-" + config);
      map.putObject("data").put(config + ".yaml", text(BASE.resolve(config + ".yaml")));
      all.add(map);
    }
    return new Manifests("base", all);
  }

  /** The chart with {@code all-on.yaml}. */
  static Manifests allOn() {
    return new Manifests("all-on", read(ALL_ON));
  }

  static List<Manifests> committed() {
    return List.of(base(), allOn());
  }

  /** Those of {@code docker/kubernetes}, for clusters without an operator. */
  static Manifests withoutOperator() {
    try (Stream<Path> files = Files.list(DEPLOY.resolve("../docker/kubernetes"))) {
      return new Manifests(
          "docker/kubernetes",
          files
              .filter(it -> !it.endsWith("kustomization.yaml"))
              .sorted()
              .flatMap(it -> read(it).stream())
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The documents of a file. */
  static List<ObjectNode> read(Path file) {
    return parse(text(file));
  }

  /**
   * The documents of a text, by YAML 1.1 as Kubernetes reads it. A document of comments alone is
   * none.
   */
  static List<ObjectNode> parse(String text) {
    List<ObjectNode> documents = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
      if (document != null) {
        documents.add(YAML.valueToTree(document));
      }
    }
    return documents;
  }

  /** The text of documents. */
  static String write(List<ObjectNode> documents) {
    StringBuilder text = new StringBuilder();
    try {
      for (ObjectNode document : documents) {
        text.append(YAML.writeValueAsString(document));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** Copies the chart into a folder, for a test to change; returns the copy. */
  static Path copyOfChart(Path folder) throws IOException {
    Path copy = folder.resolve("chart");
    try (Stream<Path> files = Files.walk(CHART)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(CHART.relativize(file).toString()));
      }
    }
    return copy;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The manifests of a type, read strictly. */
  <T extends HasMetadata> List<T> of(Class<T> type) {
    return all.stream().map(StrictReader::read).filter(type::isInstance).map(type::cast).toList();
  }

  /** The manifest of that type and name. */
  <T extends HasMetadata> T get(Class<T> type, String name) {
    return of(type).stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(this.name + " has no " + type + " " + name));
  }

  @Override
  public String toString() {
    return name;
  }
}
