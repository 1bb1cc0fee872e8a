package io.lastfix.cli.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.output.RowWriter;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.PlaceQuery;
import io.lastfix.store.query.PlaceQuery.QueryResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The base class of commands that query Last Known Location for all devices at a place. */
abstract class AnswerCommand<T> extends QueryCommand {
  static final String FIX =
      "Search and show the newest position of each device's own, even if a cell's is newer.";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Maximum number of results, up to 100000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--newer-than",
      paramLabel = "DURATION",
      description =
          "Leave out positions that are older than this: 90s, 10m, 2h, 7d (default: any age).")
  private @Nullable String newerThan;

  private @Nullable Instant since;

  private final Function<T, ObjectNode> toRow;
  private final boolean withDistance;

  AnswerCommand(Function<T, ObjectNode> toRow, boolean withDistance) {
    this.toRow = toRow;
    this.withDistance = withDistance;
  }

  abstract PlaceQuery<T> query(LastKnownLocationQueries queries);

  /** The text if no device was found. */
  abstract String emptyMessage();

  @Override
  void check() throws IOException {
    if (limit < 1 || limit > LastKnownLocationQueries.MAX_LIMIT) {
      throw usageError(
          "--limit: expected 1 to %d, found %d"
              .formatted(LastKnownLocationQueries.MAX_LIMIT, limit));
    }
    since = newerThan == null ? null : Instant.now().minus(duration("--newer-than", newerThan));
  }

  @Override
  final int query(QuerySession session) throws IOException {
    LastKnownLocationQueries queries = session.lastKnownLocation();
    PlaceQuery<T> query = query(since == null ? queries : queries.since(since));
    QueryResult<T> answer = query.run(limit);
    print(answer);
    if (explain) {
      printExplained(List.of(query.explain(limit)));
    }
    return answer.found().isEmpty() ? NOT_FOUND : FOUND;
  }

  private void print(QueryResult<T> answer) throws IOException {
    RowWriter rows = form.open(out(), withDistance);
    for (T found : answer.found()) {
      rows.write(toRow.apply(found));
    }
    ObjectNode about = emptyObject().put("more", answer.more());
    answer.missingIndex().ifPresent(index -> about.put("missingIndex", index.setting()));
    rows.finish(about);
    if (answer.found().isEmpty()) {
      say(since == null ? emptyMessage() : emptyMessage() + " since " + since);
    }
    if (answer.more()) {
      say("There are more than these %d: raise --limit".formatted(limit));
    }
    answer
        .missingIndex()
        .ifPresent(
            index ->
                say(
                    "The server read the whole collection, since it has no index on %s; set %s: true to create it",
                    String.join(", ", index.key().keySet()), index.setting()));
  }
}
