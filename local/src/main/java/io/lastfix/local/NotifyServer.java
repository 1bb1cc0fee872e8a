package io.lastfix.local;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackState;
import io.lastfix.kit.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Delivers the stack's alerts. Its settings are the user's: a start writes them only if they are
 * missing, with a webhook on loopback that the demo's rule names.
 */
public final class NotifyServer extends WebServer {
  public static final String NAME = StackState.NOTIFY;
  private static final int USUAL_PORT = 8485;
  private static final Duration PROBE = Duration.ofSeconds(3);

  /**
   * A string, because the program runs with its own class path. {@code ArchitectureTest} checks
   * that it exists.
   */
  private static final String MAIN_CLASS = "io.lastfix.notify.Main";

  /**
   * Alerts are few and small: most of this is what Kafka's consumers, one a receiver, have fetched
   * after an outage. Without memory it ends, so that its supervisor starts it again.
   */
  private static final List<String> JAVA_OPTIONS =
      List.of("-Xms32m", "-Xmx128m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");

  /** What a secret of the Standard Webhooks specification begins with. */
  private static final String SECRET_PREFIX = "whsec_";

  private static final int SECRET_BYTES = 32;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /**
   * Prepares it.
   *
   * @param kafka the bootstrap servers
   * @param receivers of the stack itself, by the keys of their addresses; the user's file may name
   *     others for these keys
   */
  NotifyServer(ServerSite site, String kafka, Map<String, String> receivers) {
    super(site, NAME, "Notify", USUAL_PORT, PROBE, page("/ready"));
    Path file = settingsFile(site);
    List<String> arguments = arguments(List.of());
    arguments.addAll(List.of("--config", file.toString()));
    for (String setting : settings(file, port(), kafka, receivers)) {
      arguments.addAll(List.of("--set", setting));
    }
    add(site.javaProcess(NAME, arguments));
  }

  /** The settings over those of the user's file, which may be missing. */
  static List<String> settings(Path file, int port, String kafka, Map<String, String> receivers) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "http.address=" + Ports.LOOPBACK,
                "http.port=" + port,
                "kafka.bootstrap-servers=" + kafka,
                // Below the limit after which a server that stops is killed.
                "delivery.drain-timeout=5 s"));
    Settings given = Settings.load(Files.exists(file) ? file : null, List.of(), name -> null);
    receivers.forEach(
        (key, address) -> {
          if (!given.has(key)) {
            settings.add(key + "=" + address);
          }
        });
    return settings;
  }

  /**
   * The arguments of java, behind which those of notify follow.
   *
   * @param javaOptions further ones, which win over its own
   */
  public static List<String> arguments(List<String> javaOptions) {
    List<String> all = new ArrayList<>(JAVA_OPTIONS);
    all.addAll(javaOptions);
    all.addAll(List.of("-cp", Installation.classPath(NAME), MAIN_CLASS));
    return all;
  }

  private static Path settingsFile(ServerSite site) {
    return site.home().configDirectory(NAME).resolve(NAME + ".yaml");
  }

  @Override
  public void start() {
    writeIfMissing(settingsFile(site));
    super.start();
  }

  /** Writes the user's file, with a secret for its webhook beside it. */
  static void writeIfMissing(Path file) {
    if (Files.exists(file)) {
      return;
    }
    Path secret = file.resolveSibling("dispatch.secret");
    var unused =
        KeptSecret.read(
            secret,
            SECRET_BYTES,
            drawn -> SECRET_PREFIX + Base64.getEncoder().encodeToString(drawn));
    try {
      Files.writeString(file, Templates.filled("notify.yaml", secret));
      // Its user adds passwords of brokers.
      Files.setPosixFilePermissions(file, OWNER_ONLY);
    } catch (IOException e) {
      throw StackException.cannot("write " + file, e);
    }
  }
}
