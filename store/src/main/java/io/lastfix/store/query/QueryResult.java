package io.lastfix.store.query;

import java.util.List;
import java.util.Optional;

/**
 * The results of a query, up to a limit.
 *
 * @param found results in the query's order
 * @param more true if there are more results than the limit
 * @param missingIndex the index without which the query read the whole collection; empty if an
 *     index was used
 */
public record QueryResult<T>(List<T> found, boolean more, Optional<OptionalIndex> missingIndex) {
  public QueryResult {
    found = List.copyOf(found);
  }
}
