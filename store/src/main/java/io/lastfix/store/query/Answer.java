package io.lastfix.store.query;

import java.util.List;
import java.util.Optional;

/**
 * What was found, up to a limit.
 *
 * @param found in the question's order
 * @param more whether the limit cut something off
 * @param missingIndex the index that would have spared reading all; empty if it was used
 */
public record Answer<T>(List<T> found, boolean more, Optional<OptionalIndex> missingIndex) {
  public Answer {
    found = List.copyOf(found);
  }
}
