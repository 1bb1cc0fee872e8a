package io.lastfix.it;

import io.lastfix.it.Scenario.Fact;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.Scenario.Version;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What both collections must hold, computed from the same input by the plainest means: loops over
 * lists. It knows nothing of batches, order, state or time.
 */
final class Oracle {
  private final Function<Fact, List<TowerFact>> towersKnownTo;
  private final String period;

  /** Of a catalogue that was known to every sighting. */
  Oracle(List<TowerFact> towers) {
    this(fact -> towers);
  }

  /** Of a catalogue that changed: which towers were known when a sighting came in. */
  Oracle(Function<Fact, List<TowerFact>> towersKnownTo) {
    this(towersKnownTo, "MONTH");
  }

  /**
   * With another period of History.
   *
   * @param period MONTH, DAY or HOUR
   */
  Oracle(Function<Fact, List<TowerFact>> towersKnownTo, String period) {
    this.towersKnownTo = towersKnownTo;
    this.period = period;
  }

  /** By collection, every document that History must hold, in the form of {@link #comparable}. */
  Map<String, Set<String>> history(Collection<Fact> facts) {
    Map<String, Set<String>> collections = new TreeMap<>();
    for (Fact fact : facts) {
      String collection = "history_" + periodOf(fact.ts().atOffset(ZoneOffset.UTC));
      collections
          .computeIfAbsent(collection, absent -> new TreeSet<>())
          .add(comparable(document(fact)));
    }
    return collections;
  }

  private String periodOf(OffsetDateTime utc) {
    String month = "%04d_%02d".formatted(utc.getYear(), utc.getMonthValue());
    String day = "%s_%02d".formatted(month, utc.getDayOfMonth());
    return switch (period) {
      case "MONTH" -> month;
      case "DAY" -> day;
      case "HOUR" -> "%s_%02d".formatted(day, utc.getHour());
      default -> throw new IllegalArgumentException("no such period: " + period);
    };
  }

  /** Every document that Last Known Location must hold. */
  Set<String> lastKnownLocation(Collection<Fact> facts) {
    Map<String, Fact> newest = new TreeMap<>();
    for (Fact fact : facts) {
      if (positionOf(fact) != null) {
        newest.merge(fact.user(), fact, (a, b) -> isNewer(b, a) ? b : a);
      }
    }
    Set<String> documents = new TreeSet<>();
    newest.forEach(
        (user, fact) -> {
          Document last = document(fact);
          last.remove("user");
          documents.add(comparable(new Document("_id", user).append("last", last)));
        });
    return documents;
  }

  private static boolean isNewer(Fact a, Fact b) {
    int byTime = a.ts().compareTo(b.ts());
    return byTime == 0 ? a.cell().compareTo(b.cell()) > 0 : byTime > 0;
  }

  private Document document(Fact fact) {
    Document document =
        new Document("user", fact.user())
            .append("ts", Date.from(fact.ts()))
            .append("cell", fact.cell());
    Version version = positionOf(fact);
    if (version != null) {
      document.append("loc", new Document("lon", version.lon()).append("lat", version.lat()));
    }
    return document;
  }

  /** A text in which two documents are equal exactly if their fields and values are, in order. */
  static String comparable(Document document) {
    return document.toJson();
  }

  private @Nullable Version positionOf(Fact fact) {
    TowerFact only = null;
    for (TowerFact tower : towersKnownTo.apply(fact)) {
      boolean sameCell =
          tower.mcc() == fact.mcc() && tower.mnc() == fact.mnc() && tower.cid() == fact.cid();
      boolean sameArea = fact.area() == null || fact.area() == tower.area();
      boolean sameRadio = fact.radio() == null || fact.radio().equals(tower.radio());
      if (sameCell && sameArea && sameRadio) {
        if (only != null) {
          return null;
        }
        only = tower;
      }
    }
    if (only == null) {
      return null;
    }
    Version valid = only.versions().get(0);
    for (Version version : only.versions()) {
      if (!version.from().isAfter(fact.ts())) {
        valid = version;
      }
    }
    return valid;
  }
}
