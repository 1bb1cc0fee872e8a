package io.lastfix.store.query.numbers;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bson.Document;

/** Density, flows, stays and trips as JSON. */
public final class ResultJson {
  private static final Set<String> PLACES = Set.of("k", "from", "to");

  private ResultJson() {}

  /** Returns the fields of a result, in their order. */
  public static List<String> fields(NumberKind kind) {
    return switch (kind) {
      case DENSITY -> List.of("w", "k", "n", "state");
      case FLOWS -> List.of("w", "from", "to", "n", "devices", "state");
      case STAYS -> List.of("user", "k", "begin", "end", "ended", "state");
      case TRIPS -> List.of("user", "from", "to", "begin", "end", "via", "state");
      case COUNTS -> throw new IllegalArgumentException("counts are no results");
    };
  }

  /** Returns the fields that name places. */
  public static List<String> places(NumberKind kind) {
    return fields(kind).stream().filter(PLACES::contains).toList();
  }

  /** A document as a row: its fields, and those of {@code _id}, without nesting. */
  public static ObjectNode row(NumberKind kind, Document document) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    Document id = document.get("_id", Document.class);
    for (String name : fields(kind)) {
      Object value = document.containsKey(name) ? document.get(name) : id.get(name);
      if (value instanceof Date date) {
        row.put(name, date.toInstant().toString());
      } else if (value instanceof Integer number) {
        row.put(name, number);
      } else if (name.equals("state")) {
        row.put(name, ResultQueries.state(document));
      } else if (value != null) {
        row.put(name, value.toString());
      }
    }
    if (document.containsKey("withheld")) {
      row.put("withheld", true);
    }
    return row;
  }

  /** What results of a range are about. */
  public static ObjectNode about(TimeRange range, PlaceKind by) {
    return about(range, by.text());
  }

  static ObjectNode about(TimeRange range, String by) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("from", range.from().toString())
        .put("to", range.to().toString())
        .put("by", by);
  }

  /** What the density at an instant is about. */
  public static ObjectNode about(Instant at, Duration lookBack, PlaceKind by) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", at.toString())
        .put("lookBackSeconds", lookBack.toSeconds())
        .put("by", by.text());
  }

  /**
   * Adds how complete numbers are.
   *
   * @param about what they are about
   * @param more whether there are more than are shown
   * @param canBeWithheld whether small groups have no number
   */
  public static ObjectNode complete(
      ObjectNode about, boolean more, Completeness completeness, boolean canBeWithheld) {
    about
        .put("more", more)
        .put("results", completeness.results())
        .put("open", completeness.open())
        .put("batch", completeness.batch());
    if (canBeWithheld) {
      about.put("withheld", completeness.withheld());
    }
    completeness.newest().ifPresent(newest -> about.put("newest", newest.toString()));
    return about;
  }

  /**
   * The whole answer.
   *
   * @param found results, and one more than the limit if there are more
   */
  public static ObjectNode of(
      ObjectNode about,
      NumberKind kind,
      List<Document> found,
      int limit,
      Completeness completeness) {
    ObjectNode answer = complete(about, found.size() > limit, completeness, !kind.isPersonal());
    answer
        .putArray(kind.text())
        .addAll(found.stream().limit(limit).map(it -> row(kind, it)).toList());
    return answer;
  }
}
