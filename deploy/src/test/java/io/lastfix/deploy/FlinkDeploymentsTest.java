package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.lastfix.jobs.Jobs;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.spec.FlinkDeploymentSpec;
import org.apache.flink.kubernetes.operator.api.spec.FlinkVersion;
import org.apache.flink.kubernetes.operator.api.spec.JobSpec;
import org.apache.flink.kubernetes.operator.api.spec.UpgradeMode;
import org.apache.flink.util.TimeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The FlinkDeployments, by the rules of the operator. Nobody publishes its validator: its rules are
 * written down here from release 1.10.
 */
class FlinkDeploymentsTest {
  /** Keys of the operator, which no published class knows, from its documentation. */
  private static final Map<String, String> OF_THE_OPERATOR =
      Map.of(
          "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age", "5 min",
          "kubernetes.operator.job.upgrade.last-state-fallback.enabled", "false",
          "kubernetes.operator.job.upgrade.ignore-pending-savepoint", "false",
          "kubernetes.operator.job.savepoint-on-deletion", "true",
          "kubernetes.operator.deployment.rollback.enabled", "false");

  private static final String REPORTER = "metrics.reporter.prom.";

  static List<FlinkDeployment> all() {
    return Manifests.committed().stream()
        .flatMap(it -> it.of(FlinkDeployment.class).stream())
        .toList();
  }

  /** The chart knows every job that runs until it is stopped, and no other. */
  @Test
  void everyStreamJob_hasOne() {
    assertThat(
            Manifests.allOn().of(FlinkDeployment.class).stream()
                .collect(
                    Collectors.toMap(
                        it -> it.getMetadata().getName(),
                        it -> it.getSpec().getJob().getEntryClass())))
        .isEqualTo(
            Jobs.of(Jobs.Kind.STREAM).stream()
                .collect(
                    Collectors.toMap(
                        it -> "lastfix-" + it.name(), it -> it.mainClass().getName())));
  }

  @ParameterizedTest
  @MethodSource("all")
  void theOperatorsRules_areKept(FlinkDeployment job) {
    FlinkDeploymentSpec spec = job.getSpec();
    Configuration flink = Configuration.fromMap(spec.getFlinkConfiguration());

    assertThat(job.getMetadata().getName()).matches("[a-z]([-a-z\\d]{0,43}[a-z\\d])?");
    assertThat(spec.getFlinkVersion()).isEqualTo(FlinkVersion.v1_20);
    // The operator sets these.
    assertThat(spec.getFlinkConfiguration())
        .doesNotContainKeys(
            "kubernetes.namespace", "kubernetes.cluster-id", "high-availability.cluster-id");
    // Release 1.10 is built with Flink 1.19, and looks for these names; Flink 1.20 takes them, too.
    assertThat(spec.getFlinkConfiguration())
        .containsKeys("state.checkpoints.dir", "state.savepoints.dir");
    assertThat(flink.get(WebOptions.SUBMIT_ENABLE)).as("takes no jar").isFalse();
    assertThat(flink.get(HighAvailabilityOptions.HA_MODE)).isEqualTo("kubernetes");
    assertThat(flink.get(HighAvailabilityOptions.HA_STORAGE_PATH)).isNotBlank();
    assertThat(spec.getJob().getParallelism()).isPositive();
    assertThat(spec.getJobManager().getReplicas()).isPositive();
    assertThat(MemorySize.parse(spec.getJobManager().getResource().getMemory()).getMebiBytes())
        .isGreaterThanOrEqualTo(1024);
    assertThat(MemorySize.parse(spec.getTaskManager().getResource().getMemory()).getMebiBytes())
        .isGreaterThanOrEqualTo(1024);
    // An image has it, so the operator fetches nothing.
    assertThat(spec.getJob().getJarURI()).startsWith("local:///opt/flink/usrlib/");
  }

  /** An upgrade keeps the state or does not happen; a deletion leaves a savepoint. */
  @ParameterizedTest
  @MethodSource("all")
  void stateIsNeverLostSilently(FlinkDeployment job) {
    JobSpec spec = job.getSpec().getJob();
    Map<String, String> config = job.getSpec().getFlinkConfiguration();

    assertThat(spec.getUpgradeMode()).isEqualTo(UpgradeMode.LAST_STATE);
    assertThat(spec.getAllowNonRestoredState()).isFalse();
    assertThat(config).containsAllEntriesOf(OF_THE_OPERATOR);
    assertThat(
            TimeUtils.parseDuration(
                config.get(
                    "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age")))
        .isPositive();
  }

  /**
   * A main method fails if MongoDB refuses its configuration, for example. By the operator's
   * default Flink then keeps a failed job, and release 1.10 does not act on a changed spec any
   * more.
   */
  @ParameterizedTest
  @MethodSource("all")
  void aStartThatFails_endsTheJobManager(FlinkDeployment job) {
    // Flink's own default is the same, but the operator sets the key where it is missing.
    assertThat(job.getSpec().getFlinkConfiguration())
        .containsEntry(DeploymentOptions.SUBMIT_FAILED_JOB_ON_APPLICATION_ERROR.key(), "false");
  }

  /**
   * The operator's configuration hides the distribution's. Without these options no main method
   * gets as far as its first line on Java 17. The local stack has none of Flink's scripts, so it
   * has the same list.
   */
  @ParameterizedTest
  @MethodSource("all")
  void javaOptions_areThoseOfADistribution(FlinkDeployment job) {
    Configuration flink = Configuration.fromMap(job.getSpec().getFlinkConfiguration());
    String stack =
        Manifests.text(
            Manifests.DEPLOY.resolve(
                "../cluster/src/main/java/io/lastfix/cluster/flink/FlinkJvm.java"));

    assertThat(flink.get(CoreOptions.FLINK_DEFAULT_JVM_OPTIONS).split(" "))
        .contains("--add-opens=java.base/java.util=ALL-UNNAMED")
        .containsExactlyElementsOf(
            Pattern.compile("\"(--add-(?:exports|opens)=[^\"]+)\"")
                .matcher(stack)
                .results()
                .map(it -> it.group(1))
                .toList());
  }

  /** Jobs share a volume or a bucket, but no folder. */
  @ParameterizedTest
  @MethodSource("all")
  void eachJob_hasFoldersOfItsOwn(FlinkDeployment job) {
    String name = job.getMetadata().getName().substring("lastfix-".length());
    Configuration flink = Configuration.fromMap(job.getSpec().getFlinkConfiguration());

    assertThat(
            List.of(
                flink.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY),
                flink.get(CheckpointingOptions.SAVEPOINT_DIRECTORY),
                flink.get(HighAvailabilityOptions.HA_STORAGE_PATH)))
        .allSatisfy(
            it -> assertThat(it).matches("(file:///var/lib|s3://bucket)/lastfix/" + name + "/\\w+"))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyKey_isKnown(FlinkDeployment job) {
    Set<String> known = new HashSet<>(OF_THE_OPERATOR.keySet());
    for (Class<?> options :
        List.of(
            CheckpointingOptions.class,
            CoreOptions.class,
            DeploymentOptions.class,
            HighAvailabilityOptions.class,
            StateBackendOptions.class,
            TaskManagerOptions.class,
            WebOptions.class)) {
      known.addAll(keys(options));
    }

    assertThat(job.getSpec().getFlinkConfiguration().keySet())
        .filteredOn(it -> !it.startsWith(REPORTER))
        .isSubsetOf(known);
  }

  @ParameterizedTest
  @MethodSource("all")
  void pods_haveNoRights(FlinkDeployment job) {
    for (PodSpec pod :
        List.of(
            job.getSpec().getJobManager().getPodTemplate().getSpec(),
            job.getSpec().getTaskManager().getPodTemplate().getSpec())) {
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(9999);
      assertThat(pod.getContainers()).singleElement().satisfies(FlinkDeploymentsTest::hasNoRights);
      // Who is not the owner reads by the group 9999.
      assertThat(pod.getVolumes())
          .filteredOn(it -> it.getSecret() != null)
          .allSatisfy(it -> assertThat(it.getSecret().getDefaultMode()).isEqualTo(0440));
    }
    // The job graph brings the secrets to TaskManagers.
    assertThat(job.getSpec().getTaskManager().getPodTemplate().getSpec().getVolumes())
        .allSatisfy(it -> assertThat(it.getSecret()).isNull());
  }

  @Test
  void jobManagers_mayStartTaskManagers() {
    Manifests base = Manifests.base();

    for (FlinkDeployment job : base.of(FlinkDeployment.class)) {
      String account = job.getSpec().getServiceAccount();
      assertThat(base.get(ServiceAccount.class, account)).isNotNull();
      assertThat(base.get(Role.class, account).getRules())
          .anySatisfy(it -> assertThat(it.getResources()).contains("pods", "configmaps"));
    }
  }

  private static void hasNoRights(Container container) {
    // The operator looks for that name.
    assertThat(container.getName()).isEqualTo("flink-main-container");
    assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
    assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
  }

  /** The keys of Flink's options, with the names that they had before. */
  private static List<String> keys(Class<?> options) {
    List<String> keys = new ArrayList<>();
    for (Field field : options.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
        try {
          ConfigOption<?> option = (ConfigOption<?>) field.get(null);
          keys.add(option.key());
          for (FallbackKey former : option.fallbackKeys()) {
            keys.add(former.getKey());
          }
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return keys;
  }
}
