package io.lastfix.expressions;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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

  private Object required(Name name) {
    return Objects.requireNonNull(values.get(name), name.text());
  }

  private double number(Name name) {
    return values.get(name) instanceof Double number ? number : Double.NaN;
  }

  @Override
  public String user() {
    return (String) required(Name.USER);
  }

  @Override
  public @Nullable String cell() {
    return (String) values.get(Name.CELL);
  }

  @Override
  public @Nullable String network() {
    return (String) values.get(Name.NETWORK);
  }

  @Override
  public String source() {
    return (String) required(Name.SOURCE);
  }

  @Override
  public double lon() {
    return (Double) required(Name.LON);
  }

  @Override
  public double lat() {
    return (Double) required(Name.LAT);
  }

  @Override
  public double accuracy() {
    return number(Name.ACCURACY);
  }

  @Override
  public double altitude() {
    return number(Name.ALTITUDE);
  }

  @Override
  public double speed() {
    return number(Name.SPEED);
  }

  @Override
  public long timeMillis() {
    return ((Instant) required(Name.TIME)).toEpochMilli();
  }

  @Override
  public boolean isFar() {
    return (Boolean) required(Name.FAR);
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
