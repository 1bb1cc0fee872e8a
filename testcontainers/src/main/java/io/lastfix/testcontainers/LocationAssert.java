package io.lastfix.testcontainers;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractAssert;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Assertions about one location. Each reads it again until it holds. */
public final class LocationAssert
    extends AbstractAssert<LocationAssert, Supplier<@Nullable Document>> {
  /** About 1 cm: positions are stored as they are sent, but a test may compute them. */
  private static final double TOLERANCE_DEGREES = 1e-7;

  private final String what;
  private final Duration limit;

  LocationAssert(String what, Duration limit, Supplier<@Nullable Document> reading) {
    super(reading, LocationAssert.class);
    this.what = what;
    this.limit = limit;
  }

  /** It is at these coordinates, in degrees of WGS 84. */
  public LocationAssert isAt(double lon, double lat) {
    return waitUntil(
        location -> {
          Document position = location.get("loc", Document.class);
          return position != null
              && Math.abs(position.getDouble("lon") - lon) < TOLERANCE_DEGREES
              && Math.abs(position.getDouble("lat") - lat) < TOLERANCE_DEGREES;
        },
        "at lon %s, lat %s".formatted(lon, lat));
  }

  /** It is of that instant, to the millisecond. */
  public LocationAssert isOf(Instant ts) {
    return waitUntil(
        location -> location.getDate("ts").toInstant().equals(ts.truncatedTo(ChronoUnit.MILLIS)),
        "of " + ts);
  }

  /**
   * It names that cell.
   *
   * @param cell {@code mcc-mnc-area-cid}
   */
  public LocationAssert isInCell(String cell) {
    return waitUntil(location -> cell.equals(location.getString("cell")), "in cell " + cell);
  }

  private LocationAssert waitUntil(Predicate<Document> condition, String expected) {
    Waiting.until(
        limit,
        () -> {
          Document location = actual.get();
          return location != null && condition.test(location);
        },
        () -> {
          Document location = actual.get();
          return failure(
              "Expecting the %s to be %s within %d s, found: %s",
              what, expected, limit.toSeconds(), location == null ? "none" : location.toJson());
        });
    return this;
  }
}
