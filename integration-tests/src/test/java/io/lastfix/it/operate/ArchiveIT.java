package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.LastfixProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that operators install: unpacked into an empty folder and used from another one. */
class ArchiveIT {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  @TempDir private static Path directory;

  private static Path installed;
  private static Path userData;
  private static Path elsewhere;

  @BeforeAll
  static void unpack() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("opt"));
    userData = Files.createDirectory(directory.resolve("data"));
    elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive().toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).as("exit code of tar").isZero();
    try (Stream<Path> unpacked = Files.list(folder)) {
      installed = unpacked.findFirst().orElseThrow();
    }
  }

  private static Path archive() throws IOException {
    try (Stream<Path> files = Files.list(Installation.root().resolve("dist/target"))) {
      List<Path> archives =
          files.filter(file -> file.getFileName().toString().endsWith(".tar.gz")).toList();
      assertThat(archives).hasSize(1);
      return archives.get(0);
    }
  }

  @AfterAll
  static void takeDownWhatAFailureLeft() throws Exception {
    LastfixProcess.Result down = lastfix("down", "--purge");
    assertThat(down.exitCode()).as(down.err()).isZero();
  }

  private static LastfixProcess.Result lastfix(String... arguments)
      throws IOException, InterruptedException {
    return LastfixProcess.startInstalled(
            installed.resolve("bin/lastfix"), userData, elsewhere, arguments)
        .await(LIMIT);
  }

  @Test
  void itHoldsWhatAnOperatorLooksFor() {
    assertThat(
            List.of(
                "bin/lastfix",
                "config/location.yaml",
                "config/fences/sfo.geojson",
                "config/rules/left-airport.yaml",
                "LICENSE",
                "NOTICE",
                "README.md",
                "RELIABILITY.md",
                "PERFORMANCE.md",
                "docs/operate/README.md",
                "docs/reference/commands.md",
                "licences/BUNDLED.md",
                "sbom/lastfix-bom.json",
                "sbom/lastfix-jobs-job-bom.json",
                "sbom/lastfix-server-flink-bom.json",
                "sbom/lastfix-server-kafka-bom.json",
                "sbom/lastfix-server-notify-bom.json",
                "sbom/lastfix-server-sql-bom.json",
                "completion/lastfix.bash",
                "SECURITY.md",
                "systemd/lastfix@.service",
                "systemd/notify.env",
                "systemd/supervise.env",
                "completion/lastfix.zsh"))
        .allSatisfy(name -> assertThat(installed.resolve(name)).isRegularFile());
    assertThat(installed.resolve("completion/lastfix.bash")).content().contains("supervise");
  }

  @Test
  void aChecksumAndABillOfMaterialsOfAllItsPartsLieBesideIt() throws Exception {
    Path archive = archive();
    String name = archive.getFileName().toString();
    Process check =
        new ProcessBuilder("sha256sum", "--check", "--strict", name + ".sha256")
            .directory(archive.getParent().toFile())
            .inheritIO()
            .start();
    assertThat(check.waitFor()).as("exit code of sha256sum").isZero();

    Path bom = archive.resolveSibling(name.replace(".tar.gz", ".cdx.json"));
    List<String> components = new ArrayList<>();
    new ObjectMapper()
        .readTree(bom.toFile())
        .path("components")
        .forEach(it -> components.add(it.path("name").asText()));
    assertThat(components)
        .contains("picocli", "flink-runtime", "kafka_2.13", "armeria", "flink-sql-client")
        .as("what the parts' own SBOMs are of")
        .contains("lastfix-server-gateway", "lastfix-jobs");
  }

  @Test
  void everyLinkOfItsPagesLeadsSomewhere() throws IOException {
    assertThat(PageLinks.dead(installed)).isEmpty();
  }

  @Test
  void theContainersAndTheChartCanBeStartedFromIt() {
    assertThat(
            List.of(
                "docker/compose.yaml",
                "docker/prometheus.yaml",
                "config/metrics/alertmanager.yml",
                "deploy/helm/lastfix/Chart.yaml",
                "deploy/helm/lastfix/templates/_helpers.tpl",
                "deploy/kustomize/base/kustomization.yaml"))
        .allSatisfy(name -> assertThat(installed.resolve(name)).isRegularFile());
  }

  @Test
  void theLicenceOfEachBundledJarIsNamedAndTheTextsThatItHoldsAreThere() throws IOException {
    List<String> jars = new ArrayList<>();
    for (String folder :
        List.of(
            "lib",
            "lib/servers/flink",
            "lib/servers/sql",
            "lib/servers/kafka",
            "lib/servers/gateway",
            "lib/servers/notify",
            "lib/servers/console",
            "jobs")) {
      try (Stream<Path> files = Files.list(installed.resolve(folder))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".jar") && !name.equals("lastfix-cli.jar"))
            .forEach(jars::add);
      }
    }
    List<String> list = Files.readAllLines(installed.resolve("licences/BUNDLED.md"));

    assertThat(jars)
        .hasSizeGreaterThan(100)
        .allSatisfy(
            jar ->
                assertThat(list)
                    .as("a row of %s with a licence", jar)
                    .anyMatch(row -> row.startsWith("| " + jar + " |"))
                    .noneMatch(
                        row ->
                            row.startsWith("| " + jar + " |")
                                && (row.contains("| not named by") || row.contains("| unknown:"))));
    String kafka = jars.stream().filter(jar -> jar.startsWith("kafka-clients")).findFirst().get();
    assertThat(installed.resolve("licences").resolve(kafka.replace(".jar", "")))
        .isDirectoryContaining(file -> file.getFileName().toString().contains("LICENSE"));
  }

  @Test
  void aJarWithoutATextOfItsLicenceGetsOneUnlessItMayBeUsedUnderApache() throws IOException {
    List<String> list = Files.readAllLines(installed.resolve("licences/BUNDLED.md"));

    assertThat(list)
        .filteredOn(row -> row.endsWith("| 0 |"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row).contains("Apache-2.0"));
    String jline =
        list.stream().filter(row -> row.startsWith("| jline-terminal-")).findFirst().orElseThrow();
    assertThat(jline).as("the SBOM's guess is BSD-4-Clause").endsWith("| BSD-3-Clause | 1 |");
    String jar = jline.split(" ", -1)[1];
    assertThat(installed.resolve("licences").resolve(jar.replace(".jar", "")).resolve("jline.txt"))
        .content()
        .contains("Neither the name of JLine");
  }

  @Test
  void itRunsFromAnotherFolderAndKeepsItsStateWithTheUser() throws Exception {
    JsonNode version = lastfix("version", "--json").mustExitWith(0).json();
    assertThat(installed.getFileName().toString())
        .isEqualTo("lastfix-" + version.path("version").asText());
    assertThat(version.path("installation").asText()).contains(installed.getFileName().toString());
    assertThat(version.path("home").asText()).isEqualTo(userData.resolve("lastfix").toString());

    lastfix("up", "--timeout", "120").mustExitWith(0);
    lastfix("submit", "location").mustExitWith(0);
    String cells = installed.resolve("config/sample/san-francisco-cells.csv.gz").toString();
    lastfix("catalog", "import", cells).mustExitWith(0);
    lastfix("push", "--format", "json", "--cells", cells, "--count", "500", "--users", "20")
        .mustExitWith(0);
    lastfix("drain", "--timeout", "120").mustExitWith(0);
    JsonNode near =
        lastfix("near", "--lat", "37.77", "--lon", "-122.42", "--radius", "50km", "--json")
            .mustExitWith(0)
            .json();
    JsonNode sightings = near.path("sightings");
    assertThat(sightings).isNotEmpty();
    lastfix("where", sightings.get(0).path("user").asText()).mustExitWith(0);
    lastfix("down").mustExitWith(0);

    assertThat(userData.resolve("lastfix/logs")).isDirectory();
    try (Stream<Path> files = Files.walk(userData.resolve("lastfix"))) {
      assertThat(files.filter(Files::isRegularFile))
          .as("files of the state, which hold positions")
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .endsWith("------"));
    }
    try (Stream<Path> left = Files.list(elsewhere)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .as("files in the folder that the command was called from")
          .allMatch(name -> name.matches("(out|err).*\\.txt"));
    }
  }
}
