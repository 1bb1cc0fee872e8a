package io.lastfix.cli.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.common.InterruptNotice;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.submission.JobUpgrade;
import io.lastfix.cluster.submission.UpgradeAccount;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.JobAccount;
import io.lastfix.operate.job.StreamJobSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix upgrade}: replaces the jar of a running job, or goes back to the former one. */
@Command(
    name = "upgrade",
    description = {
      "Replaces the jar of a running job: stops the job with a savepoint, starts the new jar from"
          + " it, and compares what was counted before and after.",
      "If the new job fails three times, or has not completed a checkpoint in time, the command goes"
          + " back. It starts the former jar from the same savepoint, and exits with 1.",
      "If the command was interrupted, run it again without --to: it continues."
    },
    exitCodeList = {
      "0:the new jar runs, and no record is missing; with --dry-run: nothing was changed",
      "1:it went back to the former jar, or changed nothing, or is unfinished",
      "2:wrong usage",
      "4:the new jar runs, but a record is missing, or the ledgers could not be compared"
    },
    footer = "  lastfix upgrade location --config config/demo.yaml --dry-run")
public final class UpgradeCommand extends StreamJobCommand {
  private static final String JAR = ".jar";

  /** The exit code if the new job runs, but its account is not balanced or was not compared. */
  private static final int NOT_PROVED = 4;

  @Option(
      names = "--to",
      paramLabel = "JAR",
      description = "The new jar of the jobs (default: that of this installation).")
  private @Nullable String to;

  @Option(
      names = "--from",
      paramLabel = "JAR",
      description =
          "The jar that runs, and to go back to (default: the copy that was kept when it was"
              + " submitted from here).")
  private @Nullable Path from;

  @Option(
      names = "--set-new",
      paramLabel = "KEY=VALUE",
      description =
          "Overrides a key for the new jar only; may be given many times. The former jar gets"
              + " --config and --set, which have to be those that it runs with.")
  private Map<String, String> newKeys = new LinkedHashMap<>();

  @Option(
      names = "--within",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description =
          "The new job has to complete a checkpoint in this time (default: ${DEFAULT-VALUE}).")
  private Duration within = Duration.ZERO;

  @Mixin private final SavepointOptions savepoints = new SavepointOptions();

  @Option(names = "--dry-run", description = "Print the plan, and change nothing.")
  private boolean dryRun;

  @Option(names = "--back", description = "Undo an interrupted upgrade instead of continuing it.")
  private boolean back;

  @Override
  public Integer call() throws Exception {
    if (back && (to != null || dryRun)) {
      throw usageError("--back excludes --to and --dry-run");
    }
    Path jar = to == null ? null : jar(to);
    StreamJobSettings given = options.given(job, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    LocationJobConfig config = given.config();
    StreamJobSettings renewed = given.with(newKeys);
    requireSameIdentity(config, renewed.config());
    FlinkRest flink = new FlinkRest(given.servers().flink());
    JobUpgrade.Request request =
        new JobUpgrade.Request(from, jar, back, savepoints.directory, savepoints.timeout, within);
    try (Admin admin = KafkaAdmin.connect(config.kafka())) {
      JobUpgrade upgrade =
          new JobUpgrade(
              given.resumable(),
              renewed.resumable(),
              flink,
              new JobAccount(job, flink, admin, job.groupId(config.kafka())),
              this::say);
      if (dryRun) {
        print(upgrade.plan(request), config);
        return 0;
      }
      return finish(
          InterruptNotice.during(
              "The upgrade has not ended: lastfix upgrade %s with the same settings, and without --to, continues it; --back undoes it."
                  .formatted(job.name()),
              err(),
              () -> upgrade.run(request, plan -> print(plan, config))));
    }
  }

  /** A jar, and not an image, whose upgrade is Kubernetes' part. */
  private static Path jar(String to) throws IOException {
    Path file = Path.of(to);
    if (Files.isRegularFile(file)) {
      return file;
    }
    throw new IOException(
        to.toLowerCase(Locale.ROOT).endsWith(JAR)
            ? to + ": there is no such file"
            : "--to %s: there is no such file. An image is upgraded by its FlinkDeployment: helm upgrade RELEASE deploy/helm/lastfix --reuse-values --set images.tag=TAG (docs/operate/kubernetes-upgrade.md)"
                .formatted(to));
  }

  private void requireSameIdentity(LocationJobConfig config, LocationJobConfig newConfig) {
    if (!config.name().equals(newConfig.name())
        || !config.kafka().groupId().equals(newConfig.kafka().groupId())) {
      throw usageError("--set-new must not change job.name or kafka.group-id");
    }
  }

  private void print(JobUpgrade.Plan plan, LocationJobConfig config) {
    say(
        "%s job '%s' (%s)"
            .formatted(
                plan.unfinished()
                    .map(
                        unfinished ->
                            "Continuing the upgrade, interrupted at %s since %s, of"
                                .formatted(unfinished.step(), unfinished.since()))
                    .orElse("Upgrading"),
                job.nameIn(config),
                plan.jobId()));
    say("  from       " + plan.from());
    say("  to         " + plan.to());
    if (plan.isToSameJar()) {
      say("  same jar   both have the same content: only the settings can change");
    }
    plan.notStarted()
        .ifPresent(jar -> say("  not to     %s, the jar of this installation".formatted(jar)));
    if (!newKeys.isEmpty()) {
      say("  new keys   " + String.join(", ", newKeys.keySet()));
    }
    say(
        "  savepoint  "
            + Optional.ofNullable(savepoints.directory)
                .or(() -> Optional.ofNullable(plan.savepointDirectory()))
                .orElse("no directory is configured: name one with --savepoint-dir"));
    say(
        "  compared   offsets of group %s%s"
            .formatted(
                job.groupId(config.kafka()),
                isLocationJob() ? "; the ledger: as many unaccounted records as before" : ""));
    say(
        "  goes back  if the new job has failed three times, or has not completed a checkpoint after %d s: the former jar is started from the same savepoint"
            .formatted(within.toSeconds()));
  }

  private int finish(JobUpgrade.Outcome outcome) {
    outcome.comparison().map(UpgradeAccount.Comparison::lines).orElse(List.of()).forEach(this::say);
    if (isJson()) {
      ObjectNode result =
          emptyObject()
              .put("upgraded", outcome.wentBack().isEmpty())
              .put("id", outcome.jobId())
              .put("savepoint", outcome.savepoint());
      outcome.comparison().ifPresent(comparison -> result.put("balanced", comparison.isBalanced()));
      outcome.wentBack().ifPresent(reason -> result.put("wentBack", reason));
      outcome.notStarted().ifPresent(jar -> result.put("notStarted", jar.path().toString()));
      printJson(result);
    }
    if (outcome.wentBack().isPresent()) {
      say(
          "Went back to the former jar: job %s runs from %s. Reason: %s"
              .formatted(outcome.jobId(), outcome.savepoint(), outcome.wentBack().get()));
      return 1;
    }
    boolean isProved = outcome.comparison().orElseThrow().isBalanced();
    if (!isProved) {
      say(
          "Upgraded, but it is not proved that no record is missing: lastfix drain, then lastfix audit, tell");
    }
    say("Upgraded: job %s runs".formatted(outcome.jobId()));
    outcome
        .notStarted()
        .ifPresent(
            jar ->
                say(
                    "The jar of this installation was not started, because the interrupted upgrade was to another one. Run lastfix upgrade %s again to upgrade to %s"
                        .formatted(job.name(), jar)));
    return isProved ? 0 : NOT_PROVED;
  }
}
