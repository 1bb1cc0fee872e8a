package io.lastfix.console.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.console.query.Box;
import io.lastfix.model.Position;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.Polygon;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a route: how it is read, and how the document of the API describes it. One that is
 * absent has its default, or is null if it has none.
 *
 * @param <T> what it is read as
 */
public final class Parameter<T extends @Nullable Object> {
  private static final int GREATEST_USER_LENGTH = 512;
  private static final int LEAST_CORNERS = 3;
  private static final int BOUNDS = 4;

  /** A look back of a year must not leave the range of times that queries take. */
  private static final Instant FIRST = Instant.parse("1900-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9000-01-01T00:00:00Z");

  /** Where a request has it, as in the document. */
  private enum Place {
    PATH,
    QUERY,
    HEADER
  }

  private final String name;
  private final Place place;
  private final boolean isRequired;
  private final String description;

  /** In YAML. */
  private final String schema;

  private final Function<@Nullable String, T> reader;

  private Parameter(
      String name,
      Place place,
      boolean isRequired,
      String description,
      String schema,
      Function<@Nullable String, T> reader) {
    this.name = name;
    this.place = place;
    this.isRequired = isRequired;
    this.description = description;
    this.schema = schema;
    this.reader = reader;
  }

  /**
   * A parameter of the query.
   *
   * @param schema of its text, in YAML
   * @param reader of the text, which is null if the parameter is absent; throws {@link
   *     Parameters#refused}
   */
  private static <T extends @Nullable Object> Parameter<T> of(
      String name, String description, String schema, Function<@Nullable String, T> reader) {
    return new Parameter<>(name, Place.QUERY, false, description, schema, reader);
  }

  /** A text. */
  public static Parameter<@Nullable String> text(String name, String description) {
    return of(name, description, "{type: string}", text -> text);
  }

  /** The header of that name. */
  public static Parameter<@Nullable String> header(String name, String description) {
    return new Parameter<>(name, Place.HEADER, false, description, "{type: string}", text -> text);
  }

  /** The device that the path names: {@code {user}}. */
  public static Parameter<String> user() {
    return new Parameter<>(
        "user",
        Place.PATH,
        true,
        "The device or subscriber, as messages name it.",
        "{type: string, minLength: 1, maxLength: %d}".formatted(GREATEST_USER_LENGTH),
        text -> {
          if (text == null || text.isEmpty() || text.length() > GREATEST_USER_LENGTH) {
            throw Parameters.refused(
                "user: expected 1 to %d characters".formatted(GREATEST_USER_LENGTH));
          }
          return text;
        });
  }

  /** A constant, by its name in lower case with hyphens. */
  public static <E extends Enum<E>> Parameter<E> oneOf(
      String name, String description, E byDefault) {
    List<E> constants = List.of(byDefault.getDeclaringClass().getEnumConstants());
    List<String> texts = constants.stream().map(Parameter::text).toList();
    int last = texts.size() - 1;
    String expected = String.join(", ", texts.subList(0, last)) + " or " + texts.get(last);
    return of(
        name,
        description,
        "{enum: %s, default: %s}".formatted(texts, text(byDefault)),
        text -> {
          int found = text == null ? constants.indexOf(byDefault) : texts.indexOf(text);
          if (found < 0) {
            throw Parameters.refused("%s: expected %s".formatted(name, expected));
          }
          return constants.get(found);
        });
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A whole number without a default. */
  public static Parameter<@Nullable Integer> number(
      String name, String description, int least, int greatest) {
    return of(
        name,
        description,
        "{type: integer, minimum: %d, maximum: %d}".formatted(least, greatest),
        text -> text == null ? null : whole(name, text, least, greatest));
  }

  /** A whole number. */
  public static Parameter<Integer> number(
      String name, String description, int byDefault, int least, int greatest) {
    return of(
        name,
        description,
        "{type: integer, minimum: %d, maximum: %d, default: %d}"
            .formatted(least, greatest, byDefault),
        text -> text == null ? byDefault : whole(name, text, least, greatest));
  }

  private static int whole(String name, String text, int least, int greatest) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= greatest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number out of range.
    }
    throw Parameters.refused("%s: expected %d to %d".formatted(name, least, greatest));
  }

  /**
   * A number with a fraction.
   *
   * @param bounds of the schema, in YAML; the code that uses the number checks them
   */
  public static Parameter<@Nullable Double> decimal(
      String name, String description, String bounds) {
    return of(
        name,
        description,
        "{type: number, %s}".formatted(bounds),
        text -> text == null ? null : decimal(name, text));
  }

  private static double decimal(String name, String text) {
    try {
      double number = Double.parseDouble(text);
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number that is not finite.
    }
    throw Parameters.refused(name + ": expected a number");
  }

  private static List<Double> decimals(String name, @Nullable String text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(part -> decimal(name, part)).toList();
  }

  /** True or false; false by default. */
  public static Parameter<Boolean> flag(String name, String description) {
    return of(
        name,
        description,
        "{type: boolean, default: false}",
        text -> {
          if (text != null && !text.equals("true") && !text.equals("false")) {
            throw Parameters.refused(name + ": expected true or false");
          }
          return "true".equals(text);
        });
  }

  /** An instant with a zone. */
  public static Parameter<@Nullable Instant> instant(String name, String description) {
    return of(
        name,
        description,
        "{type: string, format: date-time}",
        text -> text == null ? null : instantOf(name, text));
  }

  private static Instant instantOf(String name, String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
        throw Parameters.refused("%s: expected a time from %s to %s".formatted(name, FIRST, LAST));
      }
      return instant;
    } catch (DateTimeException e) {
      throw Parameters.refused(name + ": expected a time such as 2026-11-20T12:00:00Z");
    }
  }

  /** A duration such as {@code 90s}, {@code 10m}, {@code 2h} or {@code 7d}, without a default. */
  public static Parameter<@Nullable Duration> window(String name, String description) {
    return of(
        name,
        description,
        "{type: string, examples: [10m]}",
        text -> text == null ? null : windowOf(name, text));
  }

  /** Such a duration, of whole minutes or hours by default. */
  public static Parameter<Duration> window(String name, String description, Duration byDefault) {
    return of(
        name,
        description,
        "{type: string, default: %s}"
            .formatted(byDefault.toString().substring("PT".length()).toLowerCase(Locale.ROOT)),
        text -> text == null ? byDefault : windowOf(name, text));
  }

  private static Duration windowOf(String name, String text) {
    try {
      return LastKnownLocation.window(text);
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(
          name + ": expected a duration such as 90s, 10m, 2h or 7d, up to 366d");
    }
  }

  /**
   * The parameter {@code bbox}, an area between two meridians and two parallels; one that is absent
   * is refused.
   *
   * @param otherwise what a request may have instead, as further sentences; empty if nothing
   */
  public static Parameter<Box> bbox(String otherwise) {
    String name = "bbox";
    return new Parameter<>(
        name,
        Place.QUERY,
        otherwise.isEmpty(),
        "west,south,east,north in degrees; west is more than east across the 180th meridian."
            + otherwise,
        "{type: string, examples: ['-122.52,37.70,-122.35,37.83']}",
        text -> box(name, text));
  }

  private static Box box(String name, @Nullable String text) {
    if (text == null || text.split(",", -1).length != BOUNDS) {
      throw Parameters.refused(
          "%s: expected %d numbers, separated by commas".formatted(name, BOUNDS));
    }
    List<Double> bounds = decimals(name, text);
    try {
      return new Box(bounds.get(0), bounds.get(1), bounds.get(2), bounds.get(3));
    } catch (IllegalArgumentException e) {
      throw Parameters.refused(e.getMessage() + "; the order is west,south,east,north");
    }
  }

  /**
   * The parameter {@code polygon}: longitude and latitude of each corner in turn, separated by
   * commas. The first is not repeated at the end.
   */
  public static Parameter<@Nullable Polygon> polygon() {
    String name = "polygon";
    return of(
        name,
        "lon,lat of each corner in turn; 3 or more. The edges are the shortest lines between"
            + " corners, and do not cross. The first corner is not repeated.",
        "{type: string, examples: ['-122.45,37.75,-122.40,37.75,-122.40,37.80']}",
        text -> text == null ? null : polygonOf(name, text));
  }

  private static Polygon polygonOf(String name, String text) {
    List<Double> numbers = decimals(name, text);
    if (numbers.size() < 2 * LEAST_CORNERS || numbers.size() % 2 != 0) {
      throw Parameters.refused(
          name + ": expected lon,lat of 3 corners or more, separated by commas");
    }
    List<Position> ring = new ArrayList<>();
    try {
      for (int i = 0; i < numbers.size(); i += 2) {
        ring.add(new Position(numbers.get(i), numbers.get(i + 1)));
      }
    } catch (IllegalArgumentException e) {
      throw Parameters.refused("%s: %s".formatted(name, e.getMessage()));
    }
    ring.add(ring.get(0));
    // Its message begins with the name.
    return Parameters.orRefused(() -> Polygon.ofOutline(ring));
  }

  /**
   * Returns this parameter for a route that refuses a request without it.
   *
   * @param expected what it is, for the refusal
   */
  public Parameter<@NonNull T> required(String expected) {
    return new Parameter<>(
        name,
        place,
        true,
        description,
        schema,
        text -> {
          if (text == null) {
            throw Parameters.refused("%s: expected %s, found none".formatted(name, expected));
          }
          return reader.apply(text);
        });
  }

  /**
   * Reads it from a request.
   *
   * @throws ProblemException if its text is not what is expected
   */
  public T of(Parameters request) {
    return reader.apply(raw(request));
  }

  /** Whether a request has it. */
  public boolean isIn(Parameters request) {
    return raw(request) != null;
  }

  private @Nullable String raw(Parameters request) {
    return switch (place) {
      case PATH -> request.path(name);
      case QUERY -> request.query(name);
      case HEADER -> request.header(name);
    };
  }

  String name() {
    return name;
  }

  boolean isInQuery() {
    return place == Place.QUERY;
  }

  ObjectNode toOpenApi() {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", name)
            .put("in", place.name().toLowerCase(Locale.ROOT))
            .put("description", description);
    node.set("schema", OpenApi.yaml(schema));
    return isRequired ? node.put("required", true) : node;
  }
}
