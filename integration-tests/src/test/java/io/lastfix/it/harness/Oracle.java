package io.lastfix.it.harness;

import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Own;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
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
public final class Oracle {
  private final Function<Fact, List<TowerFact>> towersKnownTo;
  private final String period;

  /** Of a catalogue that was known to every sighting. */
  public Oracle(List<TowerFact> towers) {
    this(fact -> towers);
  }

  /** Of a catalogue that changed: which towers were known when a sighting came in. */
  public Oracle(Function<Fact, List<TowerFact>> towersKnownTo) {
    this(towersKnownTo, "MONTH");
  }

  /**
   * With another period of History.
   *
   * @param period MONTH, DAY or HOUR
   */
  public Oracle(Function<Fact, List<TowerFact>> towersKnownTo, String period) {
    this.towersKnownTo = towersKnownTo;
    this.period = period;
  }

  /** By collection, every document that History must hold, in the form of {@link #comparable}. */
  public Map<String, Set<String>> history(Collection<Fact> facts) {
    Map<String, Set<String>> collections = new TreeMap<>();
    for (Fact fact : facts) {
      String collection = "history_" + periodOf(fact.ts().atOffset(ZoneOffset.UTC));
      collections.computeIfAbsent(collection, absent -> new TreeSet<>()).add(historyDocument(fact));
    }
    return collections;
  }

  /** The document of a record in History, in the form of {@link #comparable}. */
  public String historyDocument(Fact fact) {
    return comparable(document(fact));
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
  public Set<String> lastKnownLocation(Collection<Fact> facts) {
    Map<String, Document> last = new TreeMap<>();
    Map<String, Document> fix = new TreeMap<>();
    for (Fact fact : facts) {
      Document newest = newest(fact);
      if (newest != null) {
        last.merge(fact.user(), newest, Oracle::newer);
        if (fact.own() != null) {
          fix.merge(fact.user(), newest, Oracle::newer);
        }
      }
    }
    Set<String> documents = new TreeSet<>();
    last.forEach(
        (user, newest) ->
            documents.add(
                comparable(
                    new Document("_id", user)
                        .append("last", newest)
                        .append("fix", fix.get(user)))));
    return documents;
  }

  private @Nullable Document newest(Fact fact) {
    Version cell = positionOf(fact);
    Own own = fact.own();
    if (own == null && cell == null) {
      return null;
    }
    return new Document("ts", Date.from(fact.ts()))
        .append("cell", fact.cell())
        .append("loc", own == null ? pair(cell.lon(), cell.lat()) : pair(own.lon(), own.lat()))
        .append("src", own == null ? "cell" : own.source())
        .append("acc", own == null ? null : own.accuracy());
  }

  /** By time, cell, longitude, latitude, source and accuracy; what is unknown comes first. */
  private static Document newer(Document a, Document b) {
    List<?> first = order(a);
    List<?> second = order(b);
    for (int i = 0; i < first.size(); i++) {
      int order = compare(first.get(i), second.get(i));
      if (order != 0) {
        return order > 0 ? a : b;
      }
    }
    return a;
  }

  private static List<Object> order(Document newest) {
    Document loc = newest.get("loc", Document.class);
    return Arrays.asList(
        newest.getDate("ts"),
        newest.get("cell"),
        loc.get("lon"),
        loc.get("lat"),
        newest.get("src"),
        newest.get("acc"));
  }

  @SuppressWarnings("unchecked") // both are of one field, so of one type
  private static int compare(@Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      return Boolean.compare(a != null, b != null);
    }
    return ((Comparable<Object>) a).compareTo(b);
  }

  private Document document(Fact fact) {
    Document document = new Document("user", fact.user()).append("ts", Date.from(fact.ts()));
    append(document, "cell", fact.cell());
    Version cell = positionOf(fact);
    Own own = fact.own();
    if (own != null) {
      document.append("loc", pair(own.lon(), own.lat())).append("src", own.source());
      append(document, "acc", own.accuracy());
      append(document, "alt", own.altitude());
      if (cell != null) {
        document.append("cellLoc", pair(cell.lon(), cell.lat()));
        append(document, "far", isFar(own, cell) ? true : null);
      }
    } else if (cell != null) {
      document.append("loc", pair(cell.lon(), cell.lat())).append("src", "cell");
    } else {
      document.append("radio", fact.radio());
    }
    return document;
  }

  /** What is unknown is left out. */
  private static void append(Document document, String name, @Nullable Object value) {
    if (value != null) {
      document.append(name, value);
    }
  }

  private static Document pair(double lon, double lat) {
    return new Document("lon", lon).append("lat", lat);
  }

  /** Whether they lie farther apart than accuracy, range and 5 km, on a sphere; 0: no range. */
  private static boolean isFar(Own own, Version cell) {
    if (cell.range() == 0) {
      return false;
    }
    double a = Math.toRadians(own.lat());
    double b = Math.toRadians(cell.lat());
    double cosine =
        Math.sin(a) * Math.sin(b)
            + Math.cos(a) * Math.cos(b) * Math.cos(Math.toRadians(own.lon() - cell.lon()));
    double meters = 6_371_009 * Math.acos(Math.min(1, cosine));
    double accuracy = own.accuracy() == null ? 0 : own.accuracy();
    return meters > accuracy + cell.range() + 5_000;
  }

  /**
   * A text in which two documents are equal exactly if their fields and values are, in order. Only
   * {@code fix} and {@code last} may stand in any order.
   */
  public static String comparable(Document document) {
    if (document.containsKey("last")) {
      return new Document(new TreeMap<>(document)).toJson();
    }
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
