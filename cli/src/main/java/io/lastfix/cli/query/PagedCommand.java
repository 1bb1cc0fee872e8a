package io.lastfix.cli.query;

import com.mongodb.MongoException;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.cli.output.RowWriter;
import io.lastfix.model.Sighting;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.query.LastKnownLocationQueries;
import io.lastfix.store.query.QueryTimeLimitException;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.SightingJson;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The base class of commands that query History: a page, the newest or the oldest, and the pages
 * after it; or all rows as they arrive. A page is shown oldest first, in either direction of
 * paging.
 */
abstract class PagedCommand extends QueryCommand {
  /** The number of rows after which the command checks whether its output is still read. */
  private static final int ROWS_BETWEEN_CHECKS = 1_000;

  private static final int DEFAULT_LIMIT = 100;

  /** Rows shown in another order than they arrive are held in memory until all are there. */
  private static final int MAX_IN_MEMORY = LastKnownLocationQueries.MAX_LIMIT;

  /** The advice for more than {@link #MAX_IN_MEMORY} rows. */
  private static final String OLDEST_FIRST = "give --all or --oldest-first";

  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(
      names = "--oldest-first",
      description = "Begin with the oldest sighting instead of the newest.")
  private boolean oldestFirst;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Maximum number of results in one page (default: 100); up to 100000 without --oldest-first.")
  private @Nullable Integer limit;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Show the next page, with the time range and order of the first: the token that the"
              + " previous page printed at its end.")
  private @Nullable String token;

  @Option(names = "--all", description = "Print all sightings while reading them, oldest first.")
  boolean all;

  /** The number of sightings that the writer of rows has received. */
  private long written;

  abstract SightingCursor begin(QuerySession session, TimeRange range, TimeOrder order)
      throws IOException;

  /**
   * Resumes from a page's token.
   *
   * @throws IllegalArgumentException if it is of another query, or damaged
   */
  abstract SightingCursor resume(QuerySession session, String pageToken) throws IOException;

  /** The text if nothing was found. */
  abstract String nothing();

  /** Starts printing. */
  RowWriter openRows() throws IOException {
    return form.open(out(), false);
  }

  /**
   * Rejects a page that would be held in memory and is too large for that.
   *
   * @param instead the advice for more rows
   */
  final void requireFitsInMemory(String instead) {
    if (limit != null && limit > MAX_IN_MEMORY) {
      throw usageError(
          "--limit: expected 1 to %d, found %d; for more %s"
              .formatted(MAX_IN_MEMORY, limit, instead));
    }
  }

  @Override
  void check() throws IOException {
    if (limit != null) {
      requireAtLeast("--limit", 1, limit);
    }
    if (!oldestFirst && !all && token == null) {
      requireFitsInMemory(OLDEST_FIRST);
    }
    if (all && limit != null) {
      throw usageError("--all and --limit: expected one of them, found both");
    }
    if (all && token != null) {
      throw usageError("--all and --token: expected one of them, found both");
    }
    if (token != null && (time.isGiven() || oldestFirst)) {
      throw usageError(
          "--token: continues in the time range and order of the previous page: leave out"
              + " --from, --to and --oldest-first");
    }
    var unused = range();
  }

  private TimeRange range() {
    return accepted("", time::range);
  }

  @Override
  final int query(QuerySession session) throws IOException {
    try (SightingCursor cursor = open(session)) {
      if (cursor.order() == TimeOrder.NEWEST_FIRST) {
        // The order of a token's pages is known only from the token itself.
        requireFitsInMemory(OLDEST_FIRST);
      }
      boolean found = print(session, cursor);
      if (!found) {
        say(nothing());
      }
      List<String> unindexed = cursor.partitionsWithoutIndex();
      if (!unindexed.isEmpty()) {
        say(withoutIndex(unindexed));
      }
      if (explain) {
        printExplained(cursor.explain());
      }
      return found ? FOUND : NOT_FOUND;
    }
  }

  /** Returns whether there was a sighting. */
  private boolean print(QuerySession session, SightingCursor cursor) throws IOException {
    RowWriter rows = openRows();
    try {
      boolean found = cursor.hasNext();
      printPage(rows, cursor);
      return found;
    } catch (MongoException | QueryTimeLimitException e) {
      boolean isPrinted = written > 0 && rows.breakOff();
      if (!(e instanceof MongoException lost) || !MongoAccessException.isLost(lost)) {
        throw e;
      }
      throw MongoAccessException.lost(
          session.config().historyMongo(),
          isPrinted
              ? "the output is incomplete and ends after sighting %,d".formatted(written)
              : "the output has no sighting",
          lost);
    }
  }

  private SightingCursor open(QuerySession session) throws IOException {
    if (token == null) {
      return begin(
          session, range(), all || oldestFirst ? TimeOrder.OLDEST_FIRST : TimeOrder.NEWEST_FIRST);
    }
    try {
      return resume(session, token);
    } catch (IllegalArgumentException e) {
      throw usageError("--" + e.getMessage());
    }
  }

  private void printPage(RowWriter rows, SightingCursor cursor) throws IOException {
    long left = all ? Long.MAX_VALUE : limit == null ? DEFAULT_LIMIT : limit;
    if (cursor.order() == TimeOrder.OLDEST_FIRST) {
      for (; left > 0 && cursor.hasNext() && isRead(left); left--) {
        write(rows, cursor.next());
      }
    } else {
      Deque<Sighting> page = new ArrayDeque<>();
      for (; left > 0 && cursor.hasNext(); left--) {
        page.push(cursor.next());
      }
      for (Sighting sighting : page) {
        write(rows, sighting);
      }
    }
    boolean more = left == 0 && cursor.hasNext();
    rows.finish(more ? emptyObject().put("next", cursor.token()) : emptyObject());
    if (more) {
      say(
          "There is more: the same command with --token %s, and without --from, --to and --oldest-first"
              .formatted(cursor.token()));
    }
  }

  private void write(RowWriter rows, Sighting sighting) throws IOException {
    rows.write(SightingJson.of(sighting, null));
    written++;
  }

  /** Returns whether the output is still read: {@code head} stops reading after some lines. */
  private boolean isRead(long left) {
    return left % ROWS_BETWEEN_CHECKS != 0 || !out().checkError();
  }

  private static String withoutIndex(List<String> partitions) {
    return partitions.size() == 1
        ? "The time range was read in %s, which has no index for it".formatted(partitions.get(0))
        : "The time range was read in %d periods that have no index for it (%s and others)"
            .formatted(partitions.size(), partitions.get(0));
  }
}
