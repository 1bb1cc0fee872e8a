package io.lastfix.operate.rules;

import io.lastfix.model.Sighting;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListCollection;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.SightingCursor;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The collections in MongoDB, and the catalogue in Kafka.
 *
 * @param history of the session
 */
record MongoRuleCollections(QuerySession session, HistoryQueries history)
    implements RuleCollections {
  @Override
  public void forEach(@Nullable String user, TimeRange range, Predicate<Sighting> target) {
    history.forEach(user, range, target);
  }

  @Override
  public Optional<Sighting> newest(@Nullable String user, TimeRange range) {
    try (SightingCursor cursor =
        user == null
            ? history.during(range, TimeOrder.NEWEST_FIRST)
            : history.history(user, range, TimeOrder.NEWEST_FIRST)) {
      while (cursor.hasNext()) {
        Sighting sighting = cursor.next();
        if (sighting.position() != null) {
          return Optional.of(sighting);
        }
      }
      return Optional.empty();
    }
  }

  @Override
  public CellCatalog cells() throws IOException {
    return CellCatalog.read(session.config());
  }

  @Override
  public ErasedUsers erased() {
    try (ErasureList list = ErasureListCollection.open(session.config().erasureList())) {
      return list.read();
    }
  }

  @Override
  public List<StoredAlert> alerts(
      Selection selection, TimeRange range, int limit, Consumer<String> skipped)
      throws MongoAccessException {
    return session.alerts().read(selection, range, TimeOrder.OLDEST_FIRST, limit, skipped);
  }
}
