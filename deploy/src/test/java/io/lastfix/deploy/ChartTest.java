package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.jobs.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the chart renders, where helm is installed; also that the committed manifests are this. With
 * {@code -Dlastfix.reference=write} it writes them instead.
 */
@EnabledIf(value = "io.lastfix.deploy.Helm#isInstalled", disabledReason = "helm is not on the PATH")
class ChartTest {
  private static final String ALL_ON_VALUES =
      Manifests.DEPLOY.resolve("src/test/resources/all-on-values.yaml").toString();

  /** Whether a job runs by default or not. */
  private static final String ALL_JOBS =
      Jobs.of(Jobs.Kind.STREAM).stream()
          .map(job -> "jobs.%s.enabled=true".formatted(job.name()))
          .collect(Collectors.joining(","));

  private static final String HASH = "lastfix.io/config";

  /** Before anything is rendered with it. */
  @BeforeAll
  static void theJobsOfTheChart_areThoseOfTheCode() throws IOException {
    new JobsFileTest().theFile_isWhatTheJobsSay();
  }

  @Test
  void theBaseOfKustomize_isTheChartWithItsDefaults() throws IOException {
    List<ObjectNode> resources = new ArrayList<>();
    Map<String, String> configs = new TreeMap<>();
    for (ObjectNode manifest : render()) {
      if (manifest.path("kind").asText().equals("ConfigMap")) {
        manifest
            .path("data")
            .properties()
            .forEach(it -> configs.put(it.getKey(), it.getValue().asText()));
      } else {
        removeHelm(manifest);
        resources.add(manifest);
      }
    }
    assertThat(configs.keySet()).containsExactly("gateway.yaml", "location.yaml");
    for (Map.Entry<String, String> config : configs.entrySet()) {
      compare(Manifests.BASE.resolve(config.getKey()), config.getValue());
    }
    compare(Manifests.BASE.resolve("resources.yaml"), Manifests.write(resources));
  }

  @Test
  void everythingOn_isTheCommittedRendering() throws IOException {
    compare(
        Manifests.ALL_ON, Manifests.write(render("--values", ALL_ON_VALUES, "--set", ALL_JOBS)));
  }

  @Test
  void lint_findsNothing() {
    assertThat(Helm.lint("--strict").code()).isZero();
    assertThat(Helm.lint("--strict", "--values", ALL_ON_VALUES).code()).isZero();
  }

  /** Parts that are on by default are off, and the other way round. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka.topics.enabled=false",
        "kafka.security.enabled=false",
        "kafka.users.enabled=false",
        "gateway.enabled=false",
        "gateway.tlsSecret=",
        "jobs.location.enabled=false",
        "networkPolicy.enabled=false",
        "flink.serviceAccount=flink",
        "state.volume.existingClaim=mine",
        "console.enabled=true",
        "notify.enabled=true",
        "jobs.analytics.enabled=true,analyzeLate.flink=http://flink:8081",
        "mongodb.example.enabled=true",
        "kafka.topics.replicas=1"
      })
  void eachSwitch_givesReadableManifests(String value) {
    assertThat(render("--set", value)).isNotEmpty().allSatisfy(StrictReader::read);
  }

  /**
   * The operator upgrades a FlinkDeployment whose spec differs, and Kubernetes rolls a Deployment
   * out.
   */
  @Test
  void aChangedConfiguration_changesThePods() {
    Map<String, JsonNode> before = hashes(render("--set", "console.enabled=true"));
    Map<String, JsonNode> same = hashes(render("--set", "console.enabled=true"));
    Map<String, JsonNode> location =
        hashes(
            render(
                "--set", "console.enabled=true", "--set", "location.config.history\\.period=DAY"));
    Map<String, JsonNode> gateway =
        hashes(
            render(
                "--set",
                "console.enabled=true",
                "--set-string",
                "gateway.config.limits\\.max-ratio=100"));

    assertThat(before.keySet())
        .containsExactlyInAnyOrder(
            "FlinkDeployment lastfix-location",
            "FlinkDeployment lastfix-devices",
            "Deployment lastfix-gateway",
            "Deployment lastfix-console");
    assertThat(same).isEqualTo(before);
    before.forEach(
        (name, hash) -> {
          boolean isGateway = name.endsWith("-gateway");
          assertThat(location.get(name).equals(hash)).as(name).isEqualTo(isGateway);
          assertThat(gateway.get(name).equals(hash)).as(name).isEqualTo(!isGateway);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gatewy.enabled=true | 'gatewy' not allowed",
        "jobs.locations.parallelism=1 | 'jobs.locations: there is no such job; there are '",
        "jobs.location.paralelism=2 | 'paralelism' not allowed",
        "jobs.location.state=stopped | /jobs/location/state",
        "jobs.location.taskManager.memory=3Gi | /jobs/location/taskManager/memory",
        "location.config.job\\.parallelism=2 | set jobs.<job>.parallelism instead",
        "location.config.kafka\\.cells-topic=cells | set kafka.topics.enabled and kafka.users.enabled to false",
        "gateway.config.mqtt\\.broker=mqtt://broker | in a StatefulSet of your own",
        "'notify.enabled=true,notify.config.kafka\\.group=mine' | set kafka.topics.enabled and kafka.users.enabled to false",
        "gateway.config.devices\\.enabled=false | set quota.enabled to false, or quota.gateways to 1",
        "'gateway.config.devices\\.enabled=false,gateway.config.quota\\.gateways=3' | set quota.gateways to 1",
        "metrics.prometheusOperator.enabled=true | need metrics.enabled",
        "metrics.enabled=true,metrics.prometheusOperator.enabled=true,metrics.prometheusOperator.disabledAlerts={LastfixStale,LastfixStael} | there is no alert LastfixStael; there are LastfixLedgerUnaccounted, "
      })
  void whatTheChartCannotDo_isRefused(String value, String message) {
    Helm.Result result = Helm.template("--set", value);

    assertThat(result.code()).isNotZero();
    assertThat(result.text()).contains(message);
  }

  /** The gateway refuses quota.gateways above 1 without the devices job, which counts for all. */
  @ParameterizedTest
  @ValueSource(strings = {"quota\\.enabled=false", "quota\\.gateways=1"})
  void gatewaysWithoutDevices_startIfNobodyCountsForAll(String quota) {
    assertThat(render("--set", "gateway.config.devices\\.enabled=false,gateway.config." + quota))
        .filteredOn(it -> it.at("/data/gateway.yaml").isTextual())
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.at("/data/gateway.yaml").asText())
                    .contains("devices.enabled: false")
                    .doesNotContain("quota.gateways: 6"));
  }

  /** The operator takes names of up to 45 characters. */
  @Test
  void aLongReleaseName_isShortened() {
    Helm.Result result = Helm.templateOf("a-release-whose-name-has-fifty-three-characters-53535");

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(new Manifests("long", Manifests.parse(result.text())).of(FlinkDeployment.class))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.getMetadata().getName()).hasSizeLessThanOrEqualTo(45));
  }

  /** What holds data, and what a running job needs, stays if the release is deleted. */
  @Test
  void whatHoldsData_isKept() {
    assertThat(
            render("--values", ALL_ON_VALUES).stream()
                .filter(
                    it ->
                        !it.at("/metadata/annotations/helm.sh~1resource-policy")
                            .asText()
                            .equals("keep"))
                .map(it -> it.path("kind").asText() + " " + it.at("/metadata/name").asText()))
        .containsExactlyInAnyOrder(
            "ConfigMap lastfix-gateway",
            "Deployment lastfix-gateway",
            "Service lastfix-gateway",
            "HorizontalPodAutoscaler lastfix-gateway",
            "PodDisruptionBudget lastfix-gateway",
            "NetworkPolicy lastfix-gateway",
            "ConfigMap lastfix-notify",
            "Deployment lastfix-notify",
            "PodDisruptionBudget lastfix-notify",
            "NetworkPolicy lastfix-notify",
            "CronJob lastfix-analyze-late",
            "NetworkPolicy lastfix-analyze-late",
            "Deployment lastfix-console",
            "Service lastfix-console",
            "NetworkPolicy lastfix-console",
            "PodMonitor lastfix-location",
            "PodMonitor lastfix-devices",
            "PodMonitor lastfix-analytics",
            "PodMonitor lastfix-gateway",
            "PodMonitor lastfix-notify",
            "PodMonitor lastfix-console",
            "PrometheusRule lastfix",
            "PrometheusRule lastfix-expected",
            "ConfigMap lastfix-dashboard");
  }

  /** One Prometheus reads two releases: in the second, each alert would be evaluated again. */
  @Test
  void theRules_canBeAnotherReleases() {
    List<String> objects =
        render("--values", ALL_ON_VALUES, "--set", "metrics.prometheusOperator.rules=false")
            .stream()
            .map(it -> it.path("kind").asText() + " " + it.at("/metadata/name").asText())
            .toList();

    assertThat(objects)
        .contains("PodMonitor lastfix-location", "PrometheusRule lastfix-expected")
        .doesNotContain("PrometheusRule lastfix");
  }

  /** What is suspended, switched off or removed is down without an alert. */
  @Test
  void whatOughtToRun_isListedForTheAlerts() {
    assertThat(expected("--set", "jobs.devices.state=running"))
        .containsExactlyInAnyOrder(
            "lastfix_job_expected {job_name=lastfix_location, namespace=lastfix}",
            "lastfix_job_expected {job_name=lastfix_location_devices, namespace=lastfix}",
            "lastfix_job_expected {job_name=lastfix_location_analytics, namespace=lastfix}",
            "lastfix_gateway_expected {job=lastfix/lastfix-gateway, namespace=lastfix}",
            "lastfix_notify_expected {job=lastfix/lastfix-notify, namespace=lastfix}");
    assertThat(
            expected(
                "--set",
                "location.config.job\\.name=fleet 7,jobs.location.state=suspended,"
                    + "jobs.devices.state=running,jobs.analytics.enabled=false,"
                    + "gateway.enabled=false,notify.enabled=false"))
        .containsExactly("lastfix_job_expected {job_name=fleet_7_devices, namespace=lastfix}");
    assertThat(
            expected(
                "--set",
                "jobs.location.enabled=false,jobs.devices.state=suspended,"
                    + "jobs.analytics.enabled=false,gateway.enabled=false,notify.enabled=false"))
        .isEmpty();
  }

  private static List<String> expected(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--values", ALL_ON_VALUES));
    arguments.addAll(List.of(more));
    List<String> listed = new ArrayList<>();
    render(arguments.toArray(String[]::new)).stream()
        .filter(it -> it.at("/metadata/name").asText().equals("lastfix-expected"))
        .forEach(
            it ->
                it.at("/spec/groups/0/rules")
                    .forEach(
                        rule -> {
                          Map<String, String> labels = new TreeMap<>();
                          rule.path("labels")
                              .fields()
                              .forEachRemaining(
                                  label -> labels.put(label.getKey(), label.getValue().asText()));
                          listed.add(rule.path("record").asText() + " " + labels);
                        }));
    return listed;
  }

  @Test
  void anAlert_canBeLeftOut_andRunbooksHaveAnAddress() {
    ObjectNode rules =
        render(
                "--values",
                ALL_ON_VALUES,
                "--set",
                "metrics.prometheusOperator.disabledAlerts={LastfixStale},"
                    + "metrics.prometheusOperator.runbookBaseUrl=https://example.org/lastfix/")
            .stream()
            .filter(it -> it.path("kind").asText().equals("PrometheusRule"))
            .findFirst()
            .orElseThrow();

    assertThat(rules.findValuesAsText("alert"))
        .contains("LastfixLag", "LastfixRejected")
        .doesNotContain("LastfixStale");
    assertThat(rules.findValuesAsText("record")).contains("lastfix_job_tasks");
    assertThat(rules.findValuesAsText("runbook_url"))
        .contains("https://example.org/lastfix/docs/operate/alerts.md#lastfixlag")
        .allMatch(it -> it.startsWith("https://example.org/lastfix/docs/operate/alerts.md#"));
  }

  /** Values of a release before the key, as {@code helm upgrade --reuse-values} has them. */
  @Test
  void withoutTheKeyTheRulesAreThere() {
    assertThat(
            render("--values", ALL_ON_VALUES, "--set", "metrics.prometheusOperator.rules=null")
                .stream()
                .map(it -> it.path("kind").asText()))
        .contains("PrometheusRule");
  }

  private static List<ObjectNode> render(String... arguments) {
    Helm.Result result = Helm.template(arguments);
    assertThat(result.code()).as(result.text()).isZero();
    return Manifests.parse(result.text());
  }

  private static Map<String, JsonNode> hashes(List<ObjectNode> manifests) {
    return manifests.stream()
        .filter(it -> !it.findPath(HASH).isMissingNode())
        .collect(
            Collectors.toMap(
                it -> it.path("kind").asText() + " " + it.at("/metadata/name").asText(),
                it -> it.findPath(HASH)));
  }

  /**
   * In the base, kustomize does what helm does elsewhere: its ConfigMaps have their hash as a
   * suffix.
   */
  private static void removeHelm(ObjectNode node) {
    if (node.path("labels") instanceof ObjectNode labels) {
      labels.remove("app.kubernetes.io/managed-by");
    }
    if (node.path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(List.of("helm.sh/resource-policy", HASH));
      if (annotations.isEmpty()) {
        node.remove("annotations");
      }
    }
    node.forEach(
        child -> {
          if (child instanceof ObjectNode object) {
            removeHelm(object);
          }
        });
  }

  private static void compare(Path file, String text) throws IOException {
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(file, text);
    }
    assertThat(Manifests.text(file))
        .as("%s is not what the chart renders: run this test with -Dlastfix.reference=write", file)
        .isEqualTo(text);
  }
}
