package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.local.program.InstalledProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An Alertmanager on loopback, which gets the alerts of the local stack's Prometheus. Its settings
 * are the user's, with the receivers of the alerts: a start writes them only if they are missing.
 *
 * <p>Alertmanager has no log-in, and lets pages of every origin set silences. So it answers below a
 * path only that was drawn once for this stack, which other pages cannot guess.
 */
public final class AlertmanagerServer extends WebServer {
  public static final String NAME = "alertmanager";
  private static final String PROGRAM_VARIABLE = "LASTFIX_ALERTMANAGER";
  private static final String NONE = "none";

  /** Debian's name, and the project's own. */
  private static final InstalledProgram PROGRAM =
      new InstalledProgram(List.of("prometheus-alertmanager", "alertmanager"), PROGRAM_VARIABLE);

  /** Its own usual port, 9093, is that of Kafka's controller. */
  private static final int USUAL_PORT = 9095;

  private static final Duration PROBE = Duration.ofSeconds(3);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private static final String PATH_FILE = "path";
  private static final int PATH_BYTES = 16;

  private final String path;

  /** Prepares an Alertmanager; it needs to be installed only when it starts. */
  AlertmanagerServer(ServerSite site) {
    super(site, NAME, "Alertmanager", USUAL_PORT, PROBE, page("/-/ready"));
    // Without one, every page would reach Alertmanager.
    path =
        "/"
            + KeptSecret.read(
                site.home().configDirectory(NAME).resolve(PATH_FILE),
                PATH_BYTES,
                HexFormat.of()::formatHex);
    add(
        site.installedProcess(
            NAME,
            AlertmanagerServer::program,
            List.of(
                site.prometheusArgument(NAME),
                "--storage.path=" + site.home().dataDirectory(NAME),
                "--web.listen-address=" + Ports.LOOPBACK + ":" + port(),
                "--web.external-url=" + endpoint(),
                // Otherwise it listens for others of its kind on all addresses.
                "--cluster.listen-address=")));
  }

  /**
   * The program: {@code LASTFIX_ALERTMANAGER}, else on the PATH; empty if it is not installed, or
   * if the variable is {@code none}.
   */
  public static Optional<Path> find(Map<String, String> environment) {
    return NONE.equals(environment.get(PROGRAM_VARIABLE))
        ? Optional.empty()
        : PROGRAM.find(environment);
  }

  private static Path program() {
    return PROGRAM.require(
        System.getenv(),
        "the stack had an Alertmanager, and none is on the PATH: install it (apt-get install prometheus-alertmanager), or set %s to the program");
  }

  /** The path below which it answers, with a slash before it and none behind it. */
  String path() {
    return path;
  }

  @Override
  public String endpoint() {
    return super.endpoint() + path;
  }

  @Override
  public void start() {
    Path file = site.prometheusSettings(NAME);
    try {
      if (!Files.exists(file)) {
        Files.copy(Installation.config("metrics/alertmanager.yml"), file);
        // Its user adds passwords of mail servers.
        Files.setPosixFilePermissions(file, OWNER_ONLY);
      }
    } catch (IOException e) {
      throw StackException.cannot("write " + file, e);
    }
    super.start();
  }
}
