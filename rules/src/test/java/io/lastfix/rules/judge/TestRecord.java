package io.lastfix.rules.judge;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Builds a record by its distance from {@link TestBook#CENTER}. */
final class TestRecord {
  static final String USER = "van-1";
  static final CellId CELL = CellId.parse("310-410-7-1");

  private static final long START = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();

  private final long millis;
  private final Position position;
  private PositionSource source = PositionSource.GNSS;
  private @Nullable Double accuracy;
  private @Nullable Double altitude;
  private @Nullable CellId cell;
  private boolean isFar;

  private TestRecord(long seconds, Position position) {
    millis = millis(seconds);
    this.position = position;
  }

  /** Returns the instant that many seconds after the start of the tests' time. */
  static long millis(long seconds) {
    return START + 1_000 * seconds;
  }

  /** Returns the seconds since the start of the tests' time. */
  static long seconds(long millis) {
    return (millis - START) / 1_000;
  }

  /** Returns a record without accuracy. */
  static TestRecord at(long seconds, double metersEast) {
    return at(seconds, metersEast, 0);
  }

  static TestRecord at(long seconds, double metersEast, double metersNorth) {
    double lat = Math.toDegrees(metersNorth / Position.EARTH_RADIUS_METERS);
    double lon =
        Math.toDegrees(
            metersEast
                / Position.EARTH_RADIUS_METERS
                / Math.cos(Math.toRadians(TestBook.CENTER.lat())));
    return new TestRecord(
        seconds, new Position(TestBook.CENTER.lon() + lon, TestBook.CENTER.lat() + lat));
  }

  TestRecord source(PositionSource other) {
    source = other;
    return this;
  }

  TestRecord accuracy(double meters) {
    accuracy = meters;
    return this;
  }

  TestRecord altitude(double meters) {
    altitude = meters;
    return this;
  }

  TestRecord cell(CellId other) {
    cell = other;
    return this;
  }

  TestRecord far() {
    isFar = true;
    return this;
  }

  LocatedRecord build() {
    Fix fix = new Fix(position, source, accuracy, altitude, null);
    return new LocatedRecord(
        USER, Place.of(cell, null, fix), millis, cell == null ? null : position, isFar);
  }

  /** Returns a record whose position is its cell's. */
  LocatedRecord ofCell() {
    return ofCell(0);
  }

  /**
   * Returns a record whose position is its cell's.
   *
   * @param rangeMeters of the cell; 0: unknown
   */
  LocatedRecord ofCell(int rangeMeters) {
    return new LocatedRecord(
        USER, new Place.AtCell(CELL, null), millis, position, false, rangeMeters);
  }

  /** Returns a record at a cell that the catalogue lacks. */
  LocatedRecord unlocated() {
    return new LocatedRecord(USER, CELL, millis, null);
  }
}
