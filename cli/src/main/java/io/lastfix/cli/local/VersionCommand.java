package io.lastfix.cli.local;

import io.lastfix.cli.common.BuildVersion;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.stack.Installation;
import io.lastfix.stack.StackHome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lastfix version}: prints the version, the installation, and the directory of its state.
 */
@Command(
    name = "version",
    description = "Shows the version, and where this installation and its state are.")
public final class VersionCommand extends LastfixCommand {
  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

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
    if (json) {
      printJson(version);
    } else {
      out().printf("lastfix %s%n", version.version());
      out().printf("Java          %s%n", version.java());
      out().printf("installation  %s%n", version.installation());
      out().printf("state         %s%n", version.home());
    }
    out().flush();
    return 0;
  }
}
