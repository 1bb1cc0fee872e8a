package io.lastfix.expressions;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelLateFunctionBindings;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A function of the record. Each has one overload, whose id is the function's name. */
enum FactFunction {
  /** Metres from the record's position to a place. */
  DISTANCE("distance", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE),
  /** Whether the position is in a fence. */
  INSIDE("inside", SimpleType.BOOL, SimpleType.STRING),
  /** The S2 cell of a level. */
  AREA("area", SimpleType.STRING, SimpleType.INT),
  /** The hour of the record's timestamp in a time zone, 0 to 23. */
  HOUR("hour", SimpleType.INT, SimpleType.STRING);

  /** The smallest cells of S2. */
  private static final int MAX_LEVEL = 30;

  private final String text;
  private final CelFunctionDecl declaration;

  FactFunction(String text, CelType result, CelType... arguments) {
    this.text = text;
    declaration =
        CelFunctionDecl.newFunctionDeclaration(
            text, CelOverloadDecl.newGlobalOverload(text, result, arguments));
  }

  static Optional<FactFunction> find(String text) {
    return Arrays.stream(values()).filter(function -> function.text.equals(text)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(function -> function.text).toList();
  }

  static List<CelFunctionDecl> declarations() {
    return Arrays.stream(values()).map(function -> function.declaration).toList();
  }

  /**
   * Returns whether the argument has to be a literal. So a wrong one is found before the rule is
   * stored.
   */
  boolean takesLiteral() {
    return this != DISTANCE;
  }

  /**
   * Returns what is wrong with a literal of the right type; empty if nothing is.
   *
   * @param index of the argument
   */
  Optional<String> problem(int index, CelConstant argument, Literals literals) {
    return switch (this) {
      case AREA -> problemOfLevel(argument.int64Value());
      case HOUR -> problemOfZone(argument.stringValue());
      case INSIDE -> literals.problemOfFence(argument.stringValue());
      case DISTANCE ->
          index == 0
              ? problemOfDegrees("longitude", 180, argument.doubleValue())
              : problemOfDegrees("latitude", 90, argument.doubleValue());
    };
  }

  private static Optional<String> problemOfDegrees(String name, int most, double degrees) {
    return Math.abs(degrees) <= most
        ? Optional.empty()
        : Optional.of(
            "expected a %s from -%d to %d, found %s".formatted(name, most, most, degrees));
  }

  private static Optional<String> problemOfLevel(long level) {
    return level >= 0 && level <= MAX_LEVEL
        ? Optional.empty()
        : Optional.of("expected a level from 0 to %d, found %d".formatted(MAX_LEVEL, level));
  }

  static Optional<String> problemOfZone(String zone) {
    try {
      var unused = ZoneId.of(zone);
      return Optional.empty();
    } catch (DateTimeException e) {
      return Optional.of("expected a time zone such as \"Europe/Berlin\"");
    }
  }

  /** Returns the functions of one record. */
  @SuppressWarnings("Immutable") // The facts of one evaluation do not change until it ends.
  static CelLateFunctionBindings of(Facts facts) {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from(
            DISTANCE.text, Double.class, Double.class, (lon, lat) -> facts.metersTo(lon, lat)),
        CelFunctionBinding.from(INSIDE.text, String.class, fence -> facts.isInside(fence)),
        CelFunctionBinding.from(AREA.text, Long.class, level -> facts.area(Math.toIntExact(level))),
        CelFunctionBinding.from(HOUR.text, String.class, zone -> hour(facts, zone)));
  }

  private static long hour(Facts facts, String zone) {
    return Instant.ofEpochMilli(facts.timeMillis()).atZone(ZoneId.of(zone)).getHour();
  }
}
