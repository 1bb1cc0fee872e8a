package io.lastfix.cli.query;

import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.QueryAccess;
import io.lastfix.cli.output.OutputForm;
import io.lastfix.cli.output.Table;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.query.QueryPlan;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base class of commands that query the two collections. */
abstract class QueryCommand extends LastfixCommand {
  static final int FOUND = 0;
  static final int NOT_FOUND = 3;

  @Mixin final OutputForm form = new OutputForm();

  @Option(
      names = "--explain",
      description =
          "Also print to standard error what the server did: for each queried collection the"
              + " stages, the index, the keys and documents examined, the shards.")
  boolean explain;

  @Mixin private final QueryAccess access = new QueryAccess();

  /** Queries, prints, and returns the exit code. */
  abstract int query(QuerySession session) throws IOException;

  /** Rejects invalid options before any server is queried. */
  void check() throws IOException {}

  @Override
  public final Integer call() throws IOException {
    check();
    try (QuerySession session = access.open()) {
      return query(session);
    }
  }

  void printExplained(List<QueryPlan> plans) {
    Table table =
        new Table("COLLECTION", "STAGES", "INDEX", "KEYS", "DOCUMENTS", "RETURNED", "SHARDS");
    for (QueryPlan plan : plans) {
      table.row(
          plan.collection(),
          orNone(plan.stages()),
          orNone(plan.indexes()),
          plan.keysExamined(),
          plan.documentsExamined(),
          plan.returned(),
          orNone(plan.shards()));
    }
    say(table.toString());
  }

  private static @Nullable String orNone(List<String> names) {
    return names.isEmpty() ? null : String.join(" ", names);
  }
}
