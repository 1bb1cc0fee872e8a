package io.lastfix.cli.query;

import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.output.Row;
import io.lastfix.cli.output.RowWriter;
import io.lastfix.cli.output.Sightings;
import io.lastfix.model.Sighting;
import io.lastfix.store.query.LastKnownLocationQueries;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lastfix where}: shows where a device was last seen. */
@Command(
    name = "where",
    description = "Shows where a device was last seen.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no such device"})
public final class WhereCommand extends QueryCommand {
  @Mixin private final UserArgument user = new UserArgument();

  @Override
  int query(QuerySession session) throws IOException {
    LastKnownLocationQueries queries = session.lastKnownLocation();
    String storedAs = user.storedAs(session);
    Optional<Sighting> found = queries.where(storedAs);
    if (found.isPresent()) {
      print(found.get());
    } else {
      err().println("No last known location of " + user.given());
    }
    if (isExplained()) {
      printExplained(List.of(queries.explainWhere(storedAs)));
    }
    return found.isPresent() ? FOUND : NOT_FOUND;
  }

  private void print(Sighting sighting) throws IOException {
    if (form().isJson()) {
      out().println(Sightings.toJson(sighting));
    } else {
      RowWriter rows = form().open(out(), false);
      rows.write(Row.of(sighting));
      rows.finish(emptyObject());
    }
  }
}
