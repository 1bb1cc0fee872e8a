package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is in the job's jar, and what must not be. */
class JobJarIT {
  private static final Path ROOT = Installation.root();

  /** Parts of the MongoDB connector that no job uses. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("org/apache/flink/connector/mongodb/(sink|table)/.*");

  /**
   * The compiler of statements. Flink's jar of table programs has it, too, for itself: no object of
   * its classes goes from one to the other, and a cluster may run without that jar.
   */
  private static final Pattern TWICE = Pattern.compile("org/codehaus/(janino|commons)/.*");

  /**
   * Flink loads a job's own classes first, so a second copy of one of the cluster's would be
   * another class with the same name.
   */
  @Test
  void theJobsJarHoldsNoClassThatTheClusterProvides() throws IOException {
    Map<String, String> provided = new TreeMap<>();
    try (Stream<Path> jars = Files.list(Installation.serverLibraries("flink"))) {
      for (Path jar : jars.toList()) {
        classes(jar).forEach(name -> provided.put(name, jar.getFileName().toString()));
      }
    }
    assertThat(provided).containsKey("org/apache/flink/api/common/JobID.class");

    Map<String, String> twice = new TreeMap<>(provided);
    twice.keySet().retainAll(classes(Installation.jobJar()));
    assertThat(twice.keySet().removeIf(TWICE.asMatchPredicate())).isTrue();
    assertThat(twice).as("classes of the job's jar that this jar of Flink's has too").isEmpty();
  }

  @Test
  void theListOfArtifactsIsWhatTheJarIsMadeOf() throws IOException {
    List<Artifact> artifacts = artifacts();
    Set<String> classes = new TreeSet<>();
    for (Artifact artifact : artifacts) {
      classes.addAll(classes(artifact.jar()));
    }
    Set<String> unlisted = classes(Installation.jobJar());
    unlisted.removeAll(classes);
    // The module that makes the jar is not in its own list.
    unlisted.removeIf(name -> name.startsWith("io/lastfix/jobs/"));
    assertThat(classes(Installation.jobJar())).noneMatch(LEFT_OUT.asMatchPredicate());
    assertThat(classes.removeIf(LEFT_OUT.asMatchPredicate())).as("the connector has them").isTrue();
    classes.removeAll(classes(Installation.jobJar()));
    assertThat(unlisted).as("classes of the jar that are of no artifact the build lists").isEmpty();
    assertThat(classes).as("classes of those artifacts that the jar lacks").isEmpty();

    Map<String, String> licences = licences();
    List<String> rows =
        artifacts.stream()
            .filter(artifact -> !artifact.name().startsWith("io.lastfix:"))
            .map(
                artifact ->
                    "| %s | %s | %s |"
                        .formatted(
                            artifact.name(), artifact.version(), licences.get(artifact.name())))
            .toList();
    Path file = ROOT.resolve("docs/reference/classpath.md");
    assertThat(
            Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("| ") && line.contains(":"))
                .toList())
        .as("the rows of %s; the right ones are:%n%s", file, String.join("\n", rows))
        .isEqualTo(rows);
  }

  /**
   * One row of the build's own list.
   *
   * @param name group and artifact, with a colon between
   */
  private record Artifact(String name, String version, Path jar) {
    /** Of {@code group:artifact:type:version:scope:file -- module ...}. */
    static Artifact parse(String line) {
      String[] parts = line.strip().split(" -- ", 2)[0].split(":", 6);
      return new Artifact(parts[0] + ":" + parts[1], parts[3], Path.of(parts[5]));
    }
  }

  private static List<Artifact> artifacts() throws IOException {
    return Files.readAllLines(ROOT.resolve("jobs/target/job-classpath.txt")).stream()
        .filter(line -> line.contains(":jar:"))
        .map(Artifact::parse)
        .toList();
  }

  /** From the bill of materials, which names more than the jar holds. */
  private static Map<String, String> licences() throws IOException {
    Map<String, String> licences = new TreeMap<>();
    JsonNode bill =
        new ObjectMapper().readTree(ROOT.resolve("jobs/target/lastfix-jobs-job-bom.json").toFile());
    for (JsonNode component : bill.path("components")) {
      // A licence that is in no list of SPDX has only the name of its POM.
      String names =
          Stream.of("id", "name")
              .flatMap(key -> component.path("licenses").findValuesAsText(key).stream())
              .sorted()
              .collect(Collectors.joining(", "));
      licences.put(component.path("group").asText() + ":" + component.path("name").asText(), names);
    }
    return licences;
  }

  private static Set<String> classes(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(".class") && !name.endsWith("module-info.class"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
