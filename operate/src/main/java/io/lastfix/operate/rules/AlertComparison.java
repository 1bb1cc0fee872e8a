package io.lastfix.operate.rules;

import io.lastfix.model.alert.Alert;
import io.lastfix.store.alerts.StoredAlert;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Compares the stored alerts of a version of a rule with its matches by History, which come each
 * user's in their order. A match needs an alert, unless {@code quiet} of the user's alert before it
 * runs. So the difference does not depend on where a run begins, and one missing alert does not
 * move those after it. If none is stored, all that the rule would make are missing.
 */
final class AlertComparison implements Consumer<Alert> {
  private final long fromMillis;
  private final long quietMillis;

  /** By user and instant. */
  private final Map<String, NavigableMap<Long, Compared>> byUser = new HashMap<>();

  private int size;

  /** What is known of an alert. */
  enum State {
    /** It is stored, and follows from History. */
    SAME,
    /** It follows from History, and is not stored. */
    MISSING,
    /** It is stored, and does not follow from History. */
    SURPLUS
  }

  /** An alert. */
  record Compared(StoredAlert stored, State state) {
    Alert alert() {
      return stored.alert();
    }
  }

  /**
   * Has seen no match yet.
   *
   * @param from earlier matches do not count
   * @param stored also those of {@code quiet} before it
   * @throws IllegalStateException if they are too many; has the remedy
   */
  AlertComparison(Instant from, List<StoredAlert> stored, Duration quiet) {
    fromMillis = from.toEpochMilli();
    quietMillis = quiet.toMillis();
    stored.forEach(alert -> put(alert, State.SURPLUS));
  }

  private void put(StoredAlert alert, State state) {
    Compared before =
        ofUser(alert.alert().user()).put(alert.alert().atMillis(), new Compared(alert, state));
    if (before == null) {
      size++;
      requireFew(size);
    }
  }

  /**
   * Checks that a number of alerts fits in memory.
   *
   * @throws IllegalStateException otherwise; has the remedy
   */
  static void requireFew(int alerts) {
    if (alerts > AlertRows.MAX) {
      throw new IllegalStateException(
          "there are more than %,d alerts: take a shorter time, or name one user with --user"
              .formatted(AlertRows.MAX));
    }
  }

  private NavigableMap<Long, Compared> ofUser(String user) {
    return byUser.computeIfAbsent(user, absent -> new TreeMap<>());
  }

  /**
   * Takes a match.
   *
   * @throws IllegalStateException if too many are missing; has the remedy
   */
  @Override
  public void accept(Alert match) {
    if (match.atMillis() < fromMillis) {
      return;
    }
    Map.Entry<Long, Compared> last = ofUser(match.user()).floorEntry(match.atMillis());
    if (last == null || match.atMillis() - last.getKey() >= Math.max(1, quietMillis)) {
      put(new StoredAlert(match, Optional.empty()), State.MISSING);
    } else if (last.getKey() == match.atMillis() && last.getValue().state() == State.SURPLUS) {
      put(last.getValue().stored(), State.SAME);
    }
  }

  /** Returns the alerts that began before an instant, from old to new. */
  List<Compared> before(Instant to) {
    return byUser.values().stream()
        .flatMap(ofUser -> ofUser.subMap(fromMillis, to.toEpochMilli()).values().stream())
        .sorted(
            Comparator.comparingLong((Compared it) -> it.alert().atMillis())
                .thenComparing(it -> it.alert().user()))
        .toList();
  }
}
