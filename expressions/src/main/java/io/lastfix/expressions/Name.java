package io.lastfix.expressions;

import dev.cel.common.types.CelType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A name that an expression may use for a value of the record. */
public enum Name {
  /** The device or subscriber. */
  USER("user", SimpleType.STRING),
  /** The cell, {@code mcc-mnc-area-cid}; null if the record names none. */
  CELL("cell", NullableType.create(SimpleType.STRING)),
  /** The network, {@code mcc-mnc}; null if the record names no cell. */
  NETWORK("network", NullableType.create(SimpleType.STRING)),
  /** Where the position comes from: cell, gnss, network or mlp. */
  SOURCE("source", SimpleType.STRING),
  /** The longitude, in degrees. */
  LON("lon", SimpleType.DOUBLE),
  /** The latitude, in degrees. */
  LAT("lat", SimpleType.DOUBLE),
  /** The accuracy, in metres; null if it is unknown. */
  ACCURACY("accuracy", NullableType.create(SimpleType.DOUBLE)),
  /** The altitude, in metres; null if it is unknown. */
  ALTITUDE("altitude", NullableType.create(SimpleType.DOUBLE)),
  /** The speed since the last record, in metres a second; null on a device's first record. */
  SPEED("speed", NullableType.create(SimpleType.DOUBLE)),
  /** The record's own timestamp. */
  TIME("time", SimpleType.TIMESTAMP),
  /** Whether the record's own position and its cell's contradict each other. */
  FAR("far", SimpleType.BOOL);

  private static final Map<String, Name> BY_TEXT =
      Arrays.stream(values()).collect(Collectors.toMap(Name::text, Function.identity()));

  private final String text;
  private final CelType type;

  Name(String text, CelType type) {
    this.text = text;
    this.type = type;
  }

  /** Returns the name as an expression has it. */
  public String text() {
    return text;
  }

  CelType type() {
    return type;
  }

  /** Returns the value of a record as CEL's runtime takes it; null if the record lacks it. */
  @Nullable Object value(Facts facts) {
    return switch (this) {
      case USER -> facts.user();
      case CELL -> facts.cell();
      case NETWORK -> facts.network();
      case SOURCE -> facts.source();
      case LON -> facts.lon();
      case LAT -> facts.lat();
      case ACCURACY -> orNull(facts.accuracy());
      case ALTITUDE -> orNull(facts.altitude());
      case SPEED -> orNull(facts.speed());
      case TIME -> Instant.ofEpochMilli(facts.timeMillis());
      case FAR -> facts.isFar();
    };
  }

  private static @Nullable Double orNull(double number) {
    return Double.isNaN(number) ? null : Double.valueOf(number);
  }

  /** Returns whether a record lacks the value. It allocates nothing. */
  boolean isAbsent(Facts facts) {
    return switch (this) {
      case CELL -> facts.cell() == null;
      case NETWORK -> facts.network() == null;
      case ACCURACY -> Double.isNaN(facts.accuracy());
      case ALTITUDE -> Double.isNaN(facts.altitude());
      case SPEED -> Double.isNaN(facts.speed());
      case USER, SOURCE, LON, LAT, TIME, FAR -> false;
    };
  }

  /** Returns the name with that text. */
  public static Optional<Name> find(String text) {
    return Optional.ofNullable(BY_TEXT.get(text));
  }
}
