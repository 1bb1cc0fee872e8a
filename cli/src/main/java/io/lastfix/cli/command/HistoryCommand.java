package io.lastfix.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.cli.LastfixCommand;
import io.lastfix.query.LocationQueries.HistoryCursor;
import io.lastfix.query.Sighting;
import io.lastfix.sink.MongoAccessException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix history}: where a device was, over all periods, in order. */
@Command(
    name = "history",
    description =
        "Shows where a device was, oldest first; where there is more than --limit, the newest of it.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:found",
      "1:failed",
      "2:wrong usage",
      "3:nothing known of that device in that time"
    })
public final class HistoryCommand extends LastfixCommand {
  /** MongoDB keeps a moment as signed milliseconds; years of four digits are plenty. */
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  @Parameters(paramLabel = "USER", description = "The device or subscriber.")
  private String user = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "From this moment on, for instance 2026-11-20T12:00:00Z.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Before this moment.")
  private @Nullable Instant to;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Mixin private final QueryAccess access = new QueryAccess();

  @Override
  public Integer call() throws MongoAccessException {
    if (limit < 1) {
      throw usageError("--limit: expected 1 or more, found " + limit);
    }
    requireOrder(from, to);
    List<Sighting> newestFirst = new ArrayList<>();
    boolean more;
    try (QueryAccess.Session session = access.open();
        HistoryCursor cursor =
            session.queries().history(user, from == null ? FIRST : from, to == null ? LAST : to)) {
      while (newestFirst.size() < limit && cursor.hasNext()) {
        newestFirst.add(cursor.next());
      }
      more = newestFirst.size() == limit && cursor.hasNext();
    }
    Collections.reverse(newestFirst);
    PrintWriter out = out();
    PrintWriter err = err();
    if (json) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      newestFirst.forEach(sighting -> array.add(Sightings.toJson(sighting)));
      out.println(array);
    } else if (!newestFirst.isEmpty()) {
      out.println(Sightings.toTable(newestFirst));
    }
    out.flush();
    if (more) {
      err.println(
          "These are the newest %d; there is more. Raise --limit, or set --to.".formatted(limit));
    }
    if (newestFirst.isEmpty()) {
      err.println("Nothing known of %s in that time".formatted(user));
    }
    err.flush();
    return newestFirst.isEmpty() ? WhereCommand.NOT_FOUND : 0;
  }
}
