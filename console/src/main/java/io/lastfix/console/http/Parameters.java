package io.lastfix.console.http;

import com.linecorp.armeria.common.QueryParams;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of one request. Each may be given once; an unknown one is refused. */
public final class Parameters {
  private static final int GREATEST_LENGTH = 1_024;
  private static final int LEAST_CORNERS = 3;

  /** A look back of a year must not leave the range of times that queries take. */
  private static final Instant FIRST = Instant.parse("1900-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9000-01-01T00:00:00Z");

  private final QueryParams given;

  private Parameters(QueryParams given) {
    this.given = given;
  }

  /**
   * Checks the names.
   *
   * @param names that the route knows
   * @throws ProblemException if there is another name, or one twice
   */
  public static Parameters of(QueryParams given, Set<String> names) {
    for (String name : given.names()) {
      if (!names.contains(name)) {
        throw refused(
            "unknown parameter; expected "
                + (names.isEmpty() ? "none" : String.join(", ", names.stream().sorted().toList())));
      }
      List<String> values = given.getAll(name);
      if (values.size() > 1) {
        throw refused(name + ": expected once, found %d times".formatted(values.size()));
      }
      if (values.get(0).length() > GREATEST_LENGTH) {
        throw refused(name + ": expected up to %d characters".formatted(GREATEST_LENGTH));
      }
    }
    return new Parameters(given);
  }

  /** The refusal of a parameter. */
  public static ProblemException refused(String detail) {
    return new ProblemException(Problem.parameter(detail));
  }

  /** The text; null if it is absent. */
  public @Nullable String text(String name) {
    return given.get(name);
  }

  /** A whole number. */
  public int number(String name, int byDefault, int least, int greatest) {
    String text = given.get(name);
    if (text == null) {
      return byDefault;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= greatest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number out of range.
    }
    throw refused("%s: expected %d to %d".formatted(name, least, greatest));
  }

  /** A required number with a fraction. */
  public double required(String name) {
    String text = given.get(name);
    if (text == null) {
      throw refused(name + ": expected a number, found none");
    }
    return decimal(name, text);
  }

  /** A number with a fraction. */
  public double decimal(String name, double byDefault) {
    String text = given.get(name);
    return text == null ? byDefault : decimal(name, text);
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
    throw refused(name + ": expected a number");
  }

  /** Required numbers, separated by commas. */
  public List<Double> decimals(String name, int count) {
    String text = given.get(name);
    List<String> parts = text == null ? List.of() : Arrays.asList(text.split(",", -1));
    if (parts.size() != count) {
      throw refused("%s: expected %d numbers, separated by commas".formatted(name, count));
    }
    return parts.stream().map(part -> decimal(name, part)).toList();
  }

  /**
   * The corners of a polygon: longitude and latitude of each in turn, separated by commas. The
   * first is not repeated at the end. Null if it is absent.
   */
  public @Nullable Polygon polygon(String name) {
    String text = given.get(name);
    if (text == null) {
      return null;
    }
    List<Double> numbers =
        Arrays.stream(text.split(",", -1)).map(part -> decimal(name, part)).toList();
    if (numbers.size() < 2 * LEAST_CORNERS || numbers.size() % 2 != 0) {
      throw refused(name + ": expected lon,lat of 3 corners or more, separated by commas");
    }
    List<Position> ring = new ArrayList<>();
    try {
      for (int i = 0; i < numbers.size(); i += 2) {
        ring.add(new Position(numbers.get(i), numbers.get(i + 1)));
      }
      ring.add(ring.get(0));
      return Polygon.ofOutline(ring);
    } catch (IllegalArgumentException e) {
      throw refused("%s: %s".formatted(name, e.getMessage()));
    }
  }

  /** True or false. */
  public boolean flag(String name) {
    String text = given.get(name);
    if (text != null && !text.equals("true") && !text.equals("false")) {
      throw refused(name + ": expected true or false");
    }
    return "true".equals(text);
  }

  /** An instant with a zone; null if it is absent. */
  public @Nullable Instant instant(String name) {
    String text = given.get(name);
    try {
      Instant instant = text == null ? null : OffsetDateTime.parse(text).toInstant();
      if (instant != null && (instant.isBefore(FIRST) || instant.isAfter(LAST))) {
        throw refused("%s: expected a time from %s to %s".formatted(name, FIRST, LAST));
      }
      return instant;
    } catch (DateTimeException e) {
      throw refused(name + ": expected a time such as 2026-11-20T12:00:00Z");
    }
  }

  /** A duration such as {@code 90s}, {@code 10m}, {@code 2h} or {@code 7d}. */
  public @Nullable Duration window(String name) {
    String text = given.get(name);
    try {
      return text == null ? null : LastKnownLocation.window(text);
    } catch (IllegalArgumentException e) {
      throw refused(name + ": expected a duration such as 90s, 10m, 2h or 7d, up to 366d");
    }
  }
}
