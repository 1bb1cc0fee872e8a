package io.lastfix.cli.local;

import io.lastfix.cli.common.BuildVersion;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackHome;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * {@code lastfix version}: prints the version, the installation, and the directory of its state.
 */
@Command(
    name = "version",
    description = "Shows the version, and where this installation and its state are.",
    footer = "  lastfix version --json")
public final class VersionCommand extends JsonCommand {
  /** The command's output as JSON. */
  record Version(String version, String java, String installation, String home) {}

  @Override
  public Integer call() {
    Version version =
        new Version(
            BuildVersion.number(),
            Runtime.version().toString(),
            Installation.root().toString(),
            StackHome.ofThisProcess().root().toString());
    print(
        version,
        List.of(
            "lastfix " + version.version(),
            "Java          " + version.java(),
            "installation  " + version.installation(),
            "state         " + version.home()));
    return 0;
  }
}
