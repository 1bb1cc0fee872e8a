package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.submission.ExpectedRules;
import io.lastfix.kit.digest.Sha256;
import io.lastfix.local.program.InstalledProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A Prometheus on loopback that reads the metrics of the local stack, has Lastfix's rules, and
 * sends alerts to the stack's Alertmanager if there is one.
 */
public final class PrometheusServer extends WebServer {
  public static final String NAME = StackState.PROMETHEUS;
  private static final InstalledProgram PROGRAM =
      new InstalledProgram(List.of("prometheus"), "LASTFIX_PROMETHEUS");
  private static final int USUAL_PORT = 9090;
  private static final Duration PROBE = Duration.ofSeconds(3);

  private final Map<String, List<String>> targets;
  private final Optional<AlertmanagerServer> alertmanager;

  /**
   * Prepares a Prometheus; it needs to be installed only when it starts.
   *
   * @param targets addresses, by the name of the servers that answer there
   * @param alertmanager gets the alerts
   */
  PrometheusServer(
      ServerSite site,
      Map<String, List<String>> targets,
      Optional<AlertmanagerServer> alertmanager) {
    super(site, NAME, "Prometheus", USUAL_PORT, PROBE, page("/-/ready"));
    this.targets = new TreeMap<>(targets);
    this.alertmanager = alertmanager;
    add(
        site.installedProcess(
            NAME,
            PrometheusServer::program,
            List.of(
                site.prometheusArgument(NAME),
                "--storage.tsdb.path=" + site.home().dataDirectory(NAME),
                "--web.listen-address=" + Ports.LOOPBACK + ":" + port(),
                "--web.external-url=" + endpoint(),
                // By default every page in the user's browser may read the series.
                "--web.cors.origin=none")));
  }

  /** The program: {@code LASTFIX_PROMETHEUS}, else on the PATH; empty if it is not installed. */
  public static Optional<Path> find(Map<String, String> environment) {
    return PROGRAM.find(environment);
  }

  /**
   * Finds the program.
   *
   * @throws StackException if it is not installed
   */
  static Path program() {
    return PROGRAM.require(
        System.getenv(),
        "--metrics needs Prometheus, and none is on the PATH: install it (apt-get install prometheus,"
            + " brew install prometheus), or set %s to the program; --no-metrics does without");
  }

  @Override
  public void start() {
    Path file = site.prometheusSettings(NAME);
    try {
      String settings = settings();
      String version = version(settings);
      boolean isOfAnother = Files.exists(file) && !Files.readString(file).startsWith(version);
      Files.writeString(file, version + settings);
      if (isOfAnother && process().isRunning()) {
        ExpectedRules.reload(ProcessHandle.of(process().pid()).orElseThrow());
      }
    } catch (IOException e) {
      throw StackException.cannot("write " + file, e);
    }
    super.start();
  }

  /** The first line: another one means other settings, or rules of another version of Lastfix. */
  private static String version(String settings) throws IOException {
    MessageDigest digest = Sha256.create();
    digest.update(settings.getBytes(StandardCharsets.UTF_8));
    digest.update(Files.readAllBytes(rules()));
    return "# Written at each start; version %s.\n"
        .formatted(HexFormat.of().formatHex(digest.digest(), 0, 8));
  }

  private static Path rules() {
    return Installation.config("metrics/lastfix-rules.yml");
  }

  private String settings() {
    return """
    global:
      scrape_interval: 5s
      evaluation_interval: 5s
    rule_files:
      - '%s'
      - '%s'
    %sscrape_configs:
    %s"""
        .formatted(
            rules(),
            site.home().expectedRules(),
            alertmanager.map(PrometheusServer::notified).orElse(""),
            targets.entrySet().stream()
                .map(job -> scraped(job.getKey(), job.getValue()))
                .collect(Collectors.joining()));
  }

  private static String notified(AlertmanagerServer alertmanager) {
    return """
    alerting:
      alertmanagers:
        - path_prefix: %s
          static_configs:
            - targets: ['%s:%d']
    """
        .formatted(alertmanager.path(), Ports.LOOPBACK, alertmanager.port());
  }

  private static String scraped(String job, List<String> addresses) {
    return """
      - job_name: %s
        static_configs:
          - targets: [%s]
    """
        .formatted(
            job,
            addresses.stream()
                .map(address -> "'" + address + "'")
                .collect(Collectors.joining(", ")));
  }
}
