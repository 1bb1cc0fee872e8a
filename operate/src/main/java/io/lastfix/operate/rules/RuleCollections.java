package io.lastfix.operate.rules;

import io.lastfix.model.Sighting;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a run of a rule over History reads. */
interface RuleCollections {
  /**
   * Passes on sightings, oldest first, until one is refused. Those of one timestamp have any order.
   *
   * @param user as stored; null: all
   */
  void forEach(@Nullable String user, TimeRange range, Predicate<Sighting> target);

  /** Returns the newest sighting of a user, or of all, that has a position; empty if none has. */
  Optional<Sighting> newest(@Nullable String user, TimeRange range);

  /** Reads the catalogue as {@link CellCatalog#read} does. */
  CellCatalog cells() throws IOException;

  /** Reads the erasure list. */
  ErasedUsers erased();

  /**
   * Returns stored alerts of a range.
   *
   * @param limit how many documents at most
   * @param skipped receives a line about each document that is no alert
   */
  List<StoredAlert> alerts(
      Selection selection, TimeRange range, int limit, Consumer<String> skipped) throws IOException;
}
