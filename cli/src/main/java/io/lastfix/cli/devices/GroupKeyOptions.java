package io.lastfix.cli.devices;

import io.lastfix.cli.common.CheckedOptions;
import io.lastfix.cluster.StackHome;
import io.lastfix.gateway.devices.GroupKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the keys of groups are; a mixin. */
public final class GroupKeyOptions extends CheckedOptions {
  private static final String VARIABLE = "LASTFIX_GROUP_KEYS";

  @Option(
      names = "--group-keys",
      paramLabel = "DIR",
      description =
          "Directory of the groups' keys (or LASTFIX_GROUP_KEYS; default: group-keys in LASTFIX_HOME).")
  private @Nullable Path directory;

  Path directory() {
    if (directory != null) {
      return directory;
    }
    String variable = System.getenv().getOrDefault(VARIABLE, "");
    return variable.isBlank()
        ? StackHome.ofThisProcess().root().resolve("group-keys")
        : Path.of(variable);
  }

  /** Rejects a name that is no directory: a typing error would prove nothing. */
  public void check() {
    if (directory != null && !Files.isDirectory(directory)) {
      throw usageError("--group-keys: %s is no directory".formatted(directory));
    }
  }

  /** Returns the keys of that directory and of the environment. */
  public GroupKeys keys() {
    return new GroupKeys(directory(), System.getenv(), InstantSource.system());
  }
}
