package io.lastfix.expressions;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts of a map: a bus at noon, without altitude, in the fence "depot". */
record TestFacts(Map<Name, Object> values) implements Facts {
  static TestFacts ofABus() {
    Map<Name, Object> values = new EnumMap<>(Name.class);
    values.put(Name.USER, "bus-17");
    values.put(Name.CELL, "310-410-7-1");
    values.put(Name.NETWORK, "310-410");
    values.put(Name.SOURCE, "gnss");
    values.put(Name.LON, -122.4);
    values.put(Name.LAT, 37.7);
    values.put(Name.ACCURACY, 12.5);
    values.put(Name.SPEED, 20.0);
    values.put(Name.TIME, Instant.parse("2026-11-20T12:00:00Z"));
    values.put(Name.FAR, false);
    return new TestFacts(values);
  }

  TestFacts with(Name name, Object value) {
    Map<Name, Object> others = new EnumMap<>(values);
    others.put(name, value);
    return new TestFacts(others);
  }

  TestFacts without(Name name) {
    Map<Name, Object> others = new EnumMap<>(values);
    others.remove(name);
    return new TestFacts(others);
  }

  @Override
  public @Nullable Object value(Name name) {
    return values.get(name);
  }

  /** Not metres, but enough to see that both arguments arrive. */
  @Override
  public double metersTo(double lon, double lat) {
    return Math.abs(lon + 122.4) + 1000 * Math.abs(lat - 37.7);
  }

  @Override
  public boolean isInside(String fence) {
    return fence.equals("depot");
  }

  @Override
  public String area(int level) {
    return "level-" + level;
  }
}
