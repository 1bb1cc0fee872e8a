package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.Jobs;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads {@code docker/compose.yaml} without compose, and refuses what compose would. */
class ComposeTest {
  private static final Path ROOT = Manifests.DEPLOY.resolve("..").normalize();
  private static final Path FOLDER = ROOT.resolve("docker");
  private static final Path FILE = FOLDER.resolve("compose.yaml");

  /** A tag of digits and dots, which no newer image gets; the version of this build for ours. */
  private static final Pattern PINNED =
      Pattern.compile("[a-z0-9./-]+:v?\\d+\\.\\d+\\.\\d+[A-Za-z0-9._-]*");

  private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\$\\{([A-Z_]+)(:-[^}]*)?}");

  /** What a service of this file may have: a mistyped key fails. */
  private static final Set<String> SERVICE_KEYS =
      Set.of(
          "image",
          "build",
          "profiles",
          "command",
          "entrypoint",
          "restart",
          "stop_grace_period",
          "mem_limit",
          "environment",
          "ports",
          "volumes",
          "secrets",
          "depends_on",
          "healthcheck");

  private static final Set<String> HEALTH_KEYS =
      Set.of("test", "interval", "timeout", "retries", "start_period");

  private static Map<String, Object> compose;
  private static Map<String, Map<String, Object>> services;

  @BeforeAll
  static void readCompose() throws IOException {
    compose = read(FILE);
    services = new TreeMap<>();
    map(compose.get("services")).forEach((name, service) -> services.put(name, map(service)));
  }

  private static Map<String, Object> read(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try (Reader reader = Files.newBufferedReader(file)) {
      return new Yaml(new SafeConstructor(options)).load(reader);
    }
  }

  @SuppressWarnings("unchecked") // YAML has no types.
  private static Map<String, Object> map(Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }

  private static List<String> strings(Object value) {
    List<String> found = new ArrayList<>();
    if (value != null) {
      ((List<?>) value).forEach(each -> found.add(String.valueOf(each)));
    }
    return found;
  }

  /** A service's mounts in compose's short form, also those that are written in the long one. */
  private static List<String> mounts(String service) {
    List<String> found = new ArrayList<>();
    for (Object mount : list(services.get(service).get("volumes"))) {
      if (mount instanceof Map) {
        Map<String, Object> fields = map(mount);
        boolean readOnly = Boolean.TRUE.equals(fields.get("read_only"));
        found.add(fields.get("source") + ":" + fields.get("target") + (readOnly ? ":ro" : ""));
      } else {
        found.add(String.valueOf(mount));
      }
    }
    return found;
  }

  private static List<?> list(Object value) {
    return value == null ? List.of() : (List<?>) value;
  }

  private static List<String> profiles(String service) {
    return strings(services.get(service).get("profiles"));
  }

  @Test
  void theCoreAndEachProfileHaveTheirServices() {
    Map<String, Set<String>> byProfile = new TreeMap<>();
    services
        .keySet()
        .forEach(
            name -> {
              List<String> profiles = profiles(name);
              (profiles.isEmpty() ? List.of("core") : profiles)
                  .forEach(
                      profile ->
                          byProfile.computeIfAbsent(profile, any -> new TreeSet<>()).add(name));
            });

    assertThat(byProfile)
        .isEqualTo(
            Map.of(
                "core", Set.of("mongodb", "kafka", "jobmanager", "taskmanager"),
                "devices", Set.of("gateway", "devices-jobmanager", "devices-taskmanager"),
                "analytics", Set.of("analytics", "analytics-jobmanager", "analytics-taskmanager"),
                "rules", Set.of("notify", "rules-jobmanager", "rules-taskmanager"),
                "console", Set.of("console"),
                "metrics", Set.of("prometheus", "alertmanager", "grafana")));
  }

  @Test
  void onlyKnownKeysAreUsed() {
    assertThat(compose.keySet())
        .filteredOn(key -> !key.startsWith("x-"))
        .containsExactlyInAnyOrder("name", "services", "secrets", "volumes");
    services.forEach(
        (name, service) -> {
          assertThat(service.keySet()).as(name).isSubsetOf(SERVICE_KEYS);
          assertThat(map(service.get("healthcheck")).keySet()).as(name).isSubsetOf(HEALTH_KEYS);
        });
  }

  @Test
  void eachImageIsPinned() {
    services.forEach(
        (name, service) ->
            assertThat(String.valueOf(service.get("image"))).as(name).matches(PINNED));
  }

  @Test
  void eachServiceHasAHealthCheckALimitOfMemoryAndPortsOnThisMachineOnly() {
    services.forEach(
        (name, service) -> {
          assertThat(strings(map(service.get("healthcheck")).get("test")))
              .as("health check of %s", name)
              .hasSizeGreaterThan(1)
              .startsWith("CMD");
          assertThat(service).as(name).containsKeys("mem_limit", "restart");
          assertThat(strings(service.get("ports")))
              .as("ports of %s", name)
              .allMatch(port -> port.startsWith("127.0.0.1:"));
        });
    List<String> ports =
        services.values().stream()
            .flatMap(s -> strings(s.get("ports")).stream())
            .map(port -> withDefaults(port).split(":", -1)[1])
            .toList();
    assertThat(ports).doesNotHaveDuplicates();
  }

  private static String withDefaults(String value) {
    return VARIABLE
        .matcher(value)
        .replaceAll(found -> found.group(2) == null ? "" : found.group(2).substring(":-".length()));
  }

  /** Another program may have a port: then {@code up} starts a part of the services. */
  @Test
  void eachPortOfThisMachineCanBeChanged() {
    services.forEach(
        (name, service) ->
            assertThat(strings(service.get("ports")))
                .as("ports of %s", name)
                .allMatch(port -> VARIABLE.matcher(port).find()));
    List<String> kafkaPorts = strings(services.get("kafka").get("ports"));
    assertThat(
            String.valueOf(
                map(services.get("kafka").get("environment")).get("KAFKA_ADVERTISED_LISTENERS")))
        .as("programs on this machine get the address of the changed port")
        .contains("HOST://" + kafkaPorts.get(0).substring(0, kafkaPorts.get(0).lastIndexOf(':')));
  }

  /** A check that starts a JVM or a shell of MongoDB each few seconds takes a core on its own. */
  @Test
  void aHealthCheckThatRepeatsStartsNoServerTool() {
    services.forEach(
        (name, service) ->
            assertThat(strings(map(service.get("healthcheck")).get("test")).get(1))
                .as("health check of %s", name)
                .isIn("bash", "promtool", "wget"));
  }

  /**
   * With on-failure, a gateway or job that ended with 0 would stay down when Docker starts again.
   */
  @Test
  void eachServiceStartsAgainAfterARestartOfTheMachine() {
    services.forEach(
        (name, service) -> assertThat(service).as(name).containsEntry("restart", "unless-stopped"));
  }

  /** Of a missing file in the short form Docker makes a folder of root's, at the user's path. */
  @Test
  void aMissingFileThatTheUserNamesIsAnErrorAndBecomesNoFolder() {
    services.forEach(
        (name, service) ->
            list(service.get("volumes")).stream()
                .filter(mount -> VARIABLE.matcher(mount.toString()).find())
                .forEach(
                    mount -> {
                      assertThat(mount).as("mount of %s", name).isInstanceOf(Map.class);
                      assertThat(map(mount)).as(name).containsEntry("type", "bind");
                      assertThat(map(map(mount).get("bind")))
                          .as("bind of %s", name)
                          .containsEntry("create_host_path", false);
                    }));
  }

  /** What {@code lastfix up --metrics} has: the same series, the rules and the dashboard. */
  @Test
  void theMetricsAreThoseOfTheConfiguration() throws IOException {
    Map<String, Object> reporter = read(ROOT.resolve("config/metrics/flink-reporter.yaml"));
    Map<String, Object> flink =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(String.valueOf(compose.get("x-flink-properties")));
    reporter.forEach((key, value) -> assertThat(flink).containsEntry(key, value));

    Map<String, Object> prometheus = read(FOLDER.resolve("prometheus.yaml"));
    assertThat(mounts("prometheus"))
        .contains(
            "../config/metrics/lastfix-rules.yml:/etc/prometheus/"
                + strings(prometheus.get("rule_files")).get(0)
                + ":ro",
            "${LASTFIX_EXPECTED:-../config/metrics/lastfix-expected.yml}:/etc/prometheus/"
                + strings(prometheus.get("rule_files")).get(1)
                + ":ro");
    List<String> targets = new ArrayList<>();
    ((List<?>) prometheus.get("scrape_configs"))
        .forEach(
            job ->
                ((List<?>) map(job).get("static_configs"))
                    .forEach(config -> targets.addAll(strings(map(config).get("targets")))));
    assertThat(targets)
        .extracting(target -> target.substring(0, target.indexOf(':')))
        .containsExactlyInAnyOrder(
            "jobmanager",
            "taskmanager",
            "devices-jobmanager",
            "devices-taskmanager",
            "analytics-jobmanager",
            "analytics-taskmanager",
            "rules-jobmanager",
            "rules-taskmanager",
            "gateway",
            "notify",
            "console");

    Map<String, Object> alertmanagers =
        map(((List<?>) map(prometheus.get("alerting")).get("alertmanagers")).get(0));
    assertThat(strings(map(((List<?>) alertmanagers.get("static_configs")).get(0)).get("targets")))
        .containsExactly("alertmanager:9093");

    Map<String, Object> dashboards = read(FOLDER.resolve("grafana-dashboards.yaml"));
    Map<String, Object> provider = map(((List<?>) dashboards.get("providers")).get(0));
    assertThat(mounts("grafana"))
        .contains(
            "../config/metrics/lastfix-dashboard.json:"
                + map(provider.get("options")).get("path")
                + "/lastfix-dashboard.json:ro");
  }

  /** Neither has a log-in, and both answer at 127.0.0.1, where a browser is. */
  @Test
  void noPageOfABrowserUsesFlinkOrReadsPrometheus() throws IOException {
    assertThat(Files.readString(FOLDER.resolve("Dockerfile")))
        .containsPattern(
            "COPY .* local/servers/flink/target/lib/lastfix-server-flink-\\*\\.jar"
                + " /opt/flink/lib/");
    assertThat(Files.readString(ROOT.resolve(".dockerignore")))
        .contains("!local/servers/flink/target/lib/lastfix-server-flink-*.jar");
    assertThat(strings(services.get("prometheus").get("command")))
        .contains("--web.cors.origin=none");
    List<String> jobManagers =
        services.keySet().stream().filter(name -> name.endsWith("jobmanager")).toList();
    assertThat(jobManagers).contains("jobmanager", "analytics-jobmanager");
    for (String name : jobManagers) {
      assertThat(String.valueOf(map(services.get(name).get("environment")).get("FLINK_PROPERTIES")))
          .as("%s takes no jar", name)
          .contains("web.submit.enable: false\n");
      assertThat(strings(map(services.get(name).get("healthcheck")).get("test")))
          .as("the guard refuses a request of %s without a host", name)
          .anyMatch(part -> part.contains("\\r\\nHost:localhost\\r\\n"));
    }
  }

  /** Compose refuses a service that depends on one of a profile that is off. */
  @Test
  void aServiceWaitsForHealthyOnesOfTheCoreOrItsOwnProfile() {
    services.forEach(
        (name, service) ->
            map(service.get("depends_on"))
                .forEach(
                    (other, condition) -> {
                      assertThat(services).as("needed by %s", name).containsKey(other);
                      assertThat(map(condition)).containsEntry("condition", "service_healthy");
                      if (!profiles(other).isEmpty()) {
                        assertThat(profiles(other)).as(name).containsAll(profiles(name));
                        assertThat(profiles(name)).as(name).isNotEmpty();
                      }
                    }));
  }

  @Test
  void volumesSecretsAndFilesExist() {
    Set<String> named = new HashSet<>(map(compose.get("volumes")).keySet());
    Set<String> used = new HashSet<>();
    services.forEach(
        (name, service) -> {
          for (String volume : mounts(name)) {
            String given = withDefaults(volume);
            String source = given.substring(0, given.indexOf(':'));
            if (source.startsWith(".")) {
              assertThat(FOLDER.resolve(source)).isRegularFile();
              assertThat(volume).endsWith(":ro");
            } else {
              used.add(source);
            }
          }
          assertThat(map(compose.get("secrets")).keySet())
              .as(name)
              .containsAll(strings(service.get("secrets")));
          Object dockerfile = map(service.get("build")).get("dockerfile");
          if (dockerfile != null) {
            assertThat(ROOT.resolve(String.valueOf(dockerfile))).isRegularFile();
          }
        });
    assertThat(used).isEqualTo(named);
  }

  /** Each has state: in one folder, one job would resume from the other's checkpoints. */
  @Test
  void eachJobHasAClassAndAStateOfItsOwn() {
    List<String> jobManagers =
        services.keySet().stream().filter(name -> name.endsWith("jobmanager")).toList();
    List<String> classes = new ArrayList<>();
    List<String> volumes = new ArrayList<>();
    for (String name : jobManagers) {
      volumes.addAll(mounts(name));
      assertThat(mounts(name.replace("jobmanager", "taskmanager"))).isEqualTo(mounts(name));
      // The other is a session cluster, whose jobs the command submits.
      if (services.get(name).containsKey("entrypoint")) {
        classes.add(
            String.valueOf(
                map(services.get(name).get("environment"))
                    .getOrDefault("LASTFIX_JOB_CLASS", Jobs.LOCATION.mainClass().getName())));
      }
    }

    assertThat(jobManagers)
        .contains("jobmanager", "devices-jobmanager", "analytics-jobmanager", "rules-jobmanager");
    assertThat(volumes).hasSameSizeAs(jobManagers).doesNotHaveDuplicates();
    assertThat(classes)
        .contains(Jobs.LOCATION.mainClass().getName(), Jobs.DEVICES.mainClass().getName())
        .doesNotHaveDuplicates()
        .isSubsetOf(
            Jobs.of(Jobs.Kind.STREAM).stream().map(job -> job.mainClass().getName()).toList());
    assertThat(mounts("analytics"))
        .as("it resumes the job from its checkpoints")
        .containsAll(mounts("analytics-jobmanager"));
  }

  /** A page that called the images tested would be wrong: no test starts them. */
  @Test
  void thePageOfVersionsHasTheImagesOfMongoDbAndKafka() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/compatibility.md"));
    String testcontainers =
        Files.readString(
            ROOT.resolve(
                "testcontainers/src/main/java/io/lastfix/testcontainers/ServerImage.java"));

    Map.of("mongodb", "MongoDB", "kafka", "Kafka")
        .forEach(
            (service, name) -> {
              String image = String.valueOf(services.get(service).get("image"));
              String version = image.substring(image.indexOf(':') + 1);
              assertThat(page)
                  .contains(
                      "| %s %s | not tested; compose and testcontainers name this image |"
                          .formatted(name, version));
              assertThat(testcontainers).contains("(\"%s\")".formatted(image));
            });
  }

  /** The jobs have two images, one for compose and one for the chart: the page lists both. */
  @Test
  void thePageHasTheNameOfEachImageAndBuildsThoseOfCompose() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/operate/docker.md"));
    Set<String> ofCompose =
        services.values().stream()
            .map(service -> String.valueOf(service.get("image")))
            .filter(image -> image.startsWith("lastfix-"))
            .collect(Collectors.toSet());
    Set<String> names = new TreeSet<>();
    ofCompose.forEach(image -> names.add(image.substring(0, image.indexOf(':'))));
    for (String folder : List.of("docker/kubernetes", "deploy/kustomize/base")) {
      Map<String, Object> kustomization = read(ROOT.resolve(folder).resolve("kustomization.yaml"));
      list(kustomization.get("images"))
          .forEach(image -> names.add(String.valueOf(map(image).get("name"))));
    }
    Map<String, Object> ofChart = map(read(Manifests.CHART.resolve("values.yaml")).get("images"));
    List.of("job", "gateway", "notify", "command")
        .forEach(image -> names.add(String.valueOf(ofChart.get(image))));

    assertThat(matches("(?m)^\\| `(lastfix-[a-z-]+)` \\|", page)).isEqualTo(names);
    assertThat(matches("docker build .*-t (\\S+) ", page)).isEqualTo(ofCompose);
  }

  /** Returns the first group of each match. */
  private static Set<String> matches(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void thePageNamesEachProfileAndEachVariable() throws IOException {
    String manual = Files.readString(ROOT.resolve("docs/operate/docker.md"));
    Set<String> variables = matches(VARIABLE.pattern(), Files.readString(FILE));

    assertThat(manual).contains(variables);
    services
        .keySet()
        .forEach(
            name -> profiles(name).forEach(it -> assertThat(manual).contains("| `" + it + "` |")));
  }
}
