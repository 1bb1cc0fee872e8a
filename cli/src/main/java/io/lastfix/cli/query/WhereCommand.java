package io.lastfix.cli.query;

import io.lastfix.cli.output.RowWriter;
import io.lastfix.model.Sighting;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryPlan;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.SightingJson;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix where}: shows where a device was last seen. */
@Command(
    name = "where",
    description = {
      "Shows where a device was last seen.",
      "If that is the position of a cell, it also shows the newest position of the device's own.",
      "With --json the newest is the object itself, and the device's own is its member 'fix'."
    },
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no such device"},
    footer = "  lastfix where ashgati --best 10m")
public final class WhereCommand extends QueryCommand {
  @Mixin private final UserArgument user = new UserArgument();

  @Option(
      names = "--best",
      paramLabel = "DURATION",
      description =
          "Show the most exact position of this time instead, from History: 90s, 10m, 2h, 7d. The"
              + " time ends at the device's newest position, not now. The smallest accuracy wins,"
              + " then the newest; without a position of the device's own, the newest.")
  private @Nullable String best;

  private @Nullable Duration window;

  @Override
  void check() {
    window = best == null ? null : duration("--best", best);
  }

  @Override
  int query(QuerySession session) throws IOException {
    LastKnownLocationQueries queries = session.lastKnownLocation();
    String storedAs = user.storedAs(session);
    Optional<LastKnownLocation> found = queries.where(storedAs);
    List<QueryPlan> plans = new ArrayList<>();
    if (explain) {
      plans.add(queries.explainWhere(storedAs));
    }
    if (found.isEmpty()) {
      say("No last known location of " + user.given);
    } else if (window == null) {
      print(found.get());
    } else {
      TimeRange range = found.get().before(window);
      try (SightingCursor history =
          session.history().history(storedAs, range, TimeOrder.NEWEST_FIRST)) {
        print(new LastKnownLocation(found.get().mostExact(range, history), null));
        if (explain) {
          plans.addAll(history.explain());
        }
      }
    }
    if (explain) {
      printExplained(plans);
    }
    return found.isPresent() ? FOUND : NOT_FOUND;
  }

  private void print(LastKnownLocation shown) throws IOException {
    if (form.isJson()) {
      out().println(SightingJson.of(shown));
    } else {
      RowWriter rows = form.open(out(), false);
      for (Sighting sighting : shown.sightings()) {
        rows.write(SightingJson.of(sighting, null));
      }
      rows.finish(emptyObject());
    }
  }
}
