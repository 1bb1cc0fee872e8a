package io.lastfix.it.operate;

import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Position;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceShape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The departures from the airport by the demo's rule, by another, smaller implementation. It takes
 * a taxi's records as the rules job does: in the order of their arrival, without those that are
 * older than one before.
 *
 * <p>A departure counts after a minute without a return. If a taxi returns before, the job may have
 * counted it all the same: a minute of event time may have passed by the records of other taxis. So
 * there may be several possible results.
 */
final class Departures {
  private static final Position AIRPORT = new Position(-122.388, 37.6155);
  private static final double AIRPORT_METERS = 1_500;
  private static final double MARGIN_METERS = 200;
  private static final long MINUTE = 60_000;
  private static final double LEAST_SHARE = 0.5;
  private static final FenceShape SHAPE =
      new FenceShape(new Fence("sfo", new Fence.Circle(AIRPORT, AIRPORT_METERS)));

  private enum Side {
    INSIDE,
    OUTSIDE,
    /** Too near to the border. */
    BETWEEN
  }

  /**
   * What the job may have found so far.
   *
   * @param began the first record on the other side, in epoch milliseconds; null: there is none
   */
  private record Way(boolean isInside, @Nullable Long began, List<Instant> departures) {
    Way withBegan(@Nullable Long millis) {
      return new Way(isInside, millis, departures);
    }

    /** Returns the way on which that record has counted. */
    Way counted(long millis) {
      List<Instant> all = new ArrayList<>(departures);
      if (isInside) {
        all.add(Instant.ofEpochMilli(millis));
      }
      return new Way(!isInside, null, all);
    }

    /** Returns the ways after a further record. */
    Set<Way> after(long millis, Side side) {
      if (began != null && millis - began >= MINUTE) {
        return counted(began).after(millis, side);
      }
      if (side == Side.BETWEEN) {
        return Set.of(this);
      }
      boolean isBack = isInside == (side == Side.INSIDE);
      if (began == null) {
        return Set.of(isBack ? this : withBegan(millis));
      }
      return isBack ? Set.of(withBegan(null), counted(began).withBegan(millis)) : Set.of(this);
    }
  }

  private Departures() {}

  /**
   * Returns the possible results.
   *
   * @param taxi its records
   */
  static Set<List<Instant>> possible(List<LocatedRecord> taxi) {
    Set<Way> ways = new LinkedHashSet<>();
    LocatedRecord last = null;
    for (LocatedRecord record : taxi) {
      if (!record.isLocated()
          || (last != null && LocatedRecordOrder.INSTANCE.compare(record, last) <= 0)) {
        continue;
      }
      Side side = side(record);
      if (last == null) {
        ways.add(new Way(side == Side.INSIDE, null, List.of()));
      }
      last = record;
      Set<Way> next = new LinkedHashSet<>();
      ways.forEach(way -> next.addAll(way.after(record.timestampMillis(), side)));
      ways = next;
    }
    Set<List<Instant>> results = new LinkedHashSet<>();
    for (Way way : ways) {
      results.add(way.departures());
      if (way.began() != null) {
        results.add(way.counted(way.began()).departures());
      }
    }
    return results;
  }

  private static Side side(LocatedRecord record) {
    Position position = Objects.requireNonNull(record.position());
    Fix fix = record.fix();
    // Each cell of the sample has a range.
    double radius =
        fix == null ? record.cellRangeMeters() : Objects.requireNonNull(fix.accuracyMeters());
    double meters = haversineMeters(AIRPORT, position);
    if (meters <= AIRPORT_METERS) {
      return SHAPE.share(position, radius) >= LEAST_SHARE ? Side.INSIDE : Side.BETWEEN;
    }
    return meters - AIRPORT_METERS > MARGIN_METERS ? Side.OUTSIDE : Side.BETWEEN;
  }

  private static double haversineMeters(Position from, Position to) {
    double south = Math.toRadians(from.lat());
    double north = Math.toRadians(to.lat());
    double height = Math.pow(Math.sin((north - south) / 2), 2);
    double width = Math.pow(Math.sin(Math.toRadians(to.lon() - from.lon()) / 2), 2);
    return 2
        * Position.EARTH_RADIUS_METERS
        * Math.asin(Math.sqrt(height + Math.cos(south) * Math.cos(north) * width));
  }
}
