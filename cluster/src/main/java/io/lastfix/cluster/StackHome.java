package io.lastfix.cluster;

import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The directory of all files of a local stack.
 *
 * @param root absolute path; need not exist yet
 */
public record StackHome(Path root) {
  /** The variable that names a home directory other than the default. */
  public static final String ENVIRONMENT_VARIABLE = "LASTFIX_HOME";

  /** Data, logs and checkpoints hold positions. */
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private static final String DATA_VARIABLE = "XDG_DATA_HOME";

  /** Makes the path absolute. */
  public StackHome {
    root = root.toAbsolutePath().normalize();
  }

  /** The home directory from this process's environment. */
  public static StackHome ofThisProcess() {
    return locate(System.getenv());
  }

  /**
   * {@code LASTFIX_HOME} if set, else {@code .lastfix} in the repository; for an installed archive
   * {@code lastfix} in the user's data directory ({@code XDG_DATA_HOME}, else {@code
   * ~/.local/share}).
   */
  public static StackHome locate(Map<String, String> environment) {
    String home = environment.getOrDefault(ENVIRONMENT_VARIABLE, "");
    if (!home.isBlank()) {
      return new StackHome(Path.of(home));
    }
    Path root = Installation.root();
    if (!Installation.isArchive(root)) {
      return new StackHome(root.resolve(".lastfix"));
    }
    return new StackHome(userData(environment, userHome(environment)).resolve("lastfix"));
  }

  /**
   * {@code HOME}, as shells and other programs use it; if it is no absolute path, the home
   * directory that the operating system lists for this user.
   */
  public static String userHome(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home).isAbsolute() ? home : System.getProperty("user.home", "");
  }

  /** A relative path counts as not set, as the XDG base directory specification says. */
  static Path userData(Map<String, String> environment, String userHome) {
    Path given = Path.of(environment.getOrDefault(DATA_VARIABLE, ""));
    if (given.isAbsolute()) {
      return given;
    }
    Path home = Path.of(userHome);
    if (!home.isAbsolute()) {
      throw new StackException(
          "this user has no home directory: set %s to a directory that can be written"
              .formatted(ENVIRONMENT_VARIABLE));
    }
    return home.resolve(".local").resolve("share");
  }

  /** The data directory of one server, for example {@code mongod-0}; created if it is missing. */
  public Path dataDirectory(String server) {
    return directory(root.resolve("data").resolve(server));
  }

  /** The directory of all data; may be missing. */
  public Path data() {
    return root.resolve("data");
  }

  /** Returns whether a server's data directory has any content. */
  public boolean hasData(String server) {
    Path directory = data().resolve(server);
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isPresent();
    } catch (IOException e) {
      throw StackException.cannot("read " + directory, e);
    }
  }

  /** The directory of the settings written for a server at each start; created if it is missing. */
  public Path configDirectory(String server) {
    return directory(root.resolve("config").resolve(server));
  }

  /** The file of Prometheus' rules that list what ought to run; its directory is created. */
  public Path expectedRules() {
    return configDirectory(StackState.PROMETHEUS).resolve("lastfix-expected.yml");
  }

  /** The log file of one process; its directory is created if it is missing. */
  public Path logFile(String process) {
    return directory(root.resolve("logs")).resolve(process + ".log");
  }

  /** The directory with the records of submitted jobs; created if it is missing. */
  public Path jobsDirectory() {
    return directory(root.resolve("jobs"));
  }

  /** The directory with the records of jobs on clusters that the user named. */
  public Path jobsElsewhereDirectory() {
    return directory(root.resolve("jobs").resolve("elsewhere"));
  }

  /** The directory of the copies of submitted jars; created if it is missing. */
  public Path jarsDirectory() {
    return directory(root.resolve("jars"));
  }

  /**
   * Closes the directory to other users if a user had made it before the stack.
   *
   * @param notice receives a line if it belongs to another user
   */
  public void restrict(Consumer<String> notice) {
    try {
      Files.setPosixFilePermissions(directory(root), OWNER_ONLY);
    } catch (IOException e) {
      notice.accept(
          "Other users may be able to read %s: %s".formatted(root, FileFailure.reason(e)));
    }
  }

  public Path stateFile() {
    return directory(root).resolve("stack.json");
  }

  public Path servicesFile() {
    return directory(root).resolve("services");
  }

  public Path lockFile() {
    return directory(root).resolve("lock");
  }

  private static Path directory(Path path) {
    try {
      return Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (IOException e) {
      throw new StackException(
          "cannot create the directory %s: %s; set %s to a directory that can be written"
              .formatted(path, FileFailure.reason(e), ENVIRONMENT_VARIABLE),
          e);
    }
  }
}
