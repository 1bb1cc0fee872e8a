package io.lastfix.cli.command;

import io.lastfix.cli.LastfixCommand;
import io.lastfix.query.Sighting;
import io.lastfix.sink.MongoAccessException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix where}: where a device was last seen. */
@Command(
    name = "where",
    description = "Shows where a device was last seen.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no such device"})
public final class WhereCommand extends LastfixCommand {
  static final int NOT_FOUND = 3;

  @Parameters(paramLabel = "USER", description = "The device or subscriber.")
  private String user = "";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private final QueryAccess access = new QueryAccess();

  @Override
  public Integer call() throws MongoAccessException {
    try (QueryAccess.Session session = access.open()) {
      Optional<Sighting> found = session.queries().where(user);
      if (found.isEmpty()) {
        PrintWriter err = err();
        err.println("No last known location of " + user);
        err.flush();
        return NOT_FOUND;
      }
      PrintWriter out = out();
      out.println(
          json
              ? Sightings.toJson(found.get()).toString()
              : Sightings.toTable(List.of(found.get())));
      out.flush();
      return 0;
    }
  }
}
