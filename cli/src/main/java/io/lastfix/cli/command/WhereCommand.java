package io.lastfix.cli.command;

import io.lastfix.query.Sighting;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lastfix where}: where a device was last seen. */
@Command(
    name = "where",
    mixinStandardHelpOptions = true,
    description = "Shows where a device was last seen.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no such device"})
public final class WhereCommand implements Callable<Integer> {
  static final int NOT_FOUND = 3;

  @Parameters(paramLabel = "USER", description = "The device or subscriber.")
  private String user = "";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private final QueryAccess access = new QueryAccess();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (QueryAccess.Session session = access.open()) {
      Optional<Sighting> found = session.queries().where(user);
      if (found.isEmpty()) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("No last known location of " + user);
        err.flush();
        return NOT_FOUND;
      }
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? Sightings.toJson(found.get()).toString() : Sightings.toTable(List.of(found.get())));
      out.flush();
      return 0;
    }
  }
}
