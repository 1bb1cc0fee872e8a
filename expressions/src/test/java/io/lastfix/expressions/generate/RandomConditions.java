package io.lastfix.expressions.generate;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes random conditions of all nodes that code is generated for. */
final class RandomConditions {
  private static final List<String> NUMBERS =
      List.of("0.0", "-0.0", "1.5", "20.0", "1e19", "-1e308", "9223372036854775807.0", "4e-324");
  private static final List<String> INTEGERS =
      List.of("0", "1", "-1", "3", "20", "9223372036854775807", "-9223372036854775808");
  private static final List<String> TEXTS =
      List.of("''", "'a'", "'bus-17'", "'310-410'", "'12'", "'-7.25'", "'😀'", "'NaN'", "'\\n\"'");
  private static final List<String> TIMES =
      List.of(
          "time",
          "timestamp('2026-11-20T12:00:00Z')",
          "timestamp('1969-12-31T23:59:59.999Z')",
          "timestamp('0001-01-01T00:00:00Z')");
  private static final List<String> ZONES =
      List.of("", "'UTC'", "'America/Los_Angeles'", "'Australia/Lord_Howe'", "'-08:30'");
  private static final List<String> PARTS =
      List.of("getFullYear", "getMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes");
  private static final List<String> ORDERS = List.of("<", "<=", ">", ">=", "==", "!=");

  private final Random random;

  RandomConditions(Random random) {
    this.random = random;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Returns a condition of at most that depth. */
  String condition(int depth) {
    if (depth == 0) {
      return leaf(0);
    }
    return switch (random.nextInt(6)) {
      case 0, 1 -> "(%s && %s)".formatted(condition(depth - 1), condition(depth - 1));
      case 2, 3 -> "(%s || %s)".formatted(condition(depth - 1), condition(depth - 1));
      case 4 ->
          "(%s ? %s : %s)"
              .formatted(condition(depth - 1), condition(depth - 1), condition(depth - 1));
      default -> "!(%s)".formatted(condition(depth - 1));
    };
  }

  /** Returns a condition without {@code &&}, {@code ||} and {@code ?:} at its root. */
  private String leaf(int depth) {
    return switch (random.nextInt(14)) {
      case 0 -> "far";
      case 1 -> any(List.of("true", "false", "inside('depot')", "inside('yard')"));
      case 2 -> comparison(any(ORDERS), number(depth), number(depth));
      case 3 -> comparison(any(ORDERS), integer(depth), integer(depth));
      case 4 -> comparison(any(ORDERS.subList(0, 4)), number(depth), integer(depth));
      case 5 -> comparison(any(ORDERS.subList(0, 4)), integer(depth), number(depth));
      case 6 -> comparison(any(ORDERS), text(depth), text(depth));
      case 7 -> comparison(any(ORDERS), any(TIMES), any(TIMES));
      case 8 ->
          "%s %s null"
              .formatted(
                  any(List.of("accuracy", "altitude", "speed", "cell", "network")),
                  any(List.of("==", "!=")));
      case 9 -> "%s in %s".formatted(text(depth), list(TEXTS));
      case 10 -> "%s in %s".formatted(number(depth), list(NUMBERS));
      case 11 -> "%s in %s".formatted(integer(depth), list(INTEGERS));
      case 12 -> comparison(any(ORDERS.subList(4, 6)), leaf(depth), leaf(depth));
      default ->
          "%s.%s(%s)"
              .formatted(
                  text(depth), any(List.of("startsWith", "endsWith", "contains")), text(depth));
    };
  }

  private static String comparison(String order, String left, String right) {
    return "(%s %s %s)".formatted(left, order, right);
  }

  private String list(List<String> literals) {
    return Stream.generate(() -> any(literals))
        .limit(1 + random.nextInt(4))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private String number(int depth) {
    if (depth == 0) {
      return any(List.of("lon", "lat", "accuracy", "altitude", "speed", any(NUMBERS)));
    }
    return switch (random.nextInt(8)) {
      case 0 -> "(-(%s))".formatted(number(depth - 1));
      case 1, 2, 3 ->
          "(%s %s %s)"
              .formatted(number(depth - 1), any(List.of("+", "-", "*", "/")), number(depth - 1));
      case 4 -> "double(%s)".formatted(integer(depth - 1));
      case 5 -> "double(%s)".formatted(text(depth - 1));
      case 6 -> "distance(%s, %s)".formatted(any(List.of("lon", "speed", "-0.5")), "lat");
      default -> "(%s ? %s : %s)".formatted(leaf(depth - 1), number(depth - 1), number(depth - 1));
    };
  }

  private String integer(int depth) {
    if (depth == 0) {
      return any(INTEGERS);
    }
    return switch (random.nextInt(8)) {
      case 0 -> "(-(%s))".formatted(integer(depth - 1));
      case 1, 2 ->
          "(%s %s %s)"
              .formatted(
                  integer(depth - 1), any(List.of("+", "-", "*", "/", "%")), integer(depth - 1));
      case 3 -> "int(%s)".formatted(any(List.of(number(depth - 1), text(depth - 1), any(TIMES))));
      case 4 -> "size(%s)".formatted(text(depth - 1));
      case 5 -> "%s.%s(%s)".formatted(any(TIMES), any(PARTS), any(ZONES));
      case 6 -> "hour(%s)".formatted(any(ZONES.subList(1, ZONES.size())));
      default ->
          "(%s ? %s : %s)".formatted(leaf(depth - 1), integer(depth - 1), integer(depth - 1));
    };
  }

  private String text(int depth) {
    if (depth == 0) {
      return any(List.of("user", "cell", "network", "source", any(TEXTS)));
    }
    return switch (random.nextInt(4)) {
      case 0 -> "(%s + %s)".formatted(text(depth - 1), text(depth - 1));
      case 1 ->
          "string(%s)"
              .formatted(
                  any(
                      List.of(
                          number(depth - 1),
                          integer(depth - 1),
                          text(depth - 1),
                          any(TIMES),
                          leaf(depth - 1))));
      case 2 -> "area(%d)".formatted(random.nextInt(31));
      default -> "(%s ? %s : %s)".formatted(leaf(depth - 1), text(depth - 1), text(depth - 1));
    };
  }

  /** Returns a condition with operands of some depth. */
  String condition() {
    return random.nextBoolean() ? condition(1 + random.nextInt(3)) : leaf(1 + random.nextInt(3));
  }
}
