package io.lastfix.expressions.generate;

import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.NullValue;
import io.lastfix.expressions.CheckedTree;
import io.lastfix.expressions.Name;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a condition as Java methods. It supports the nodes that are listed here; any other one
 * leaves the condition to CEL's runtime.
 *
 * <p>The whole condition, and each operand of {@code &&} and {@code ||}, is a method: an operand
 * may fail although the condition has a result. A method returns {@code FALSE}, {@code TRUE} or
 * {@code FAILURE}. Within it, an absent value that an operation needs returns {@code FAILURE} at
 * once.
 */
final class StatementWriter {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final String FAIL_IF = "if (%s) {\nreturn FAILURE;\n}\n";

  private enum Kind {
    BOOL("boolean", "false"),
    LONG("long", "0L"),
    DOUBLE("double", "0.0"),
    TEXT("String", "null"),
    /** An instant, in epoch milliseconds. */
    TIME("long", "0L"),
    /** Null as a literal. */
    NULL("Object", "null");

    private final String type;
    private final String initial;

    Kind(String type, String initial) {
      this.type = type;
      this.initial = initial;
    }
  }

  /**
   * A value in a method. Each operation is computed at once, even if its result is not needed: it
   * may fail.
   *
   * @param java a variable or a constant, of no use if the value is null; a text then is null, too
   * @param isNull an expression that is true if the value is null; null: it never is
   */
  private record Value(Kind kind, String java, @Nullable String isNull) {
    Value(Kind kind, String java) {
      this(kind, java, null);
    }

    /** Returns an expression that is false if the value is null. */
    String unlessNull(String condition) {
      return isNull == null ? condition : "!(%s) && %s".formatted(isNull, condition);
    }
  }

  private final CheckedTree tree;
  private final ClassSource source;
  private final Constants constants;
  private int locals;

  /** The method, or the branch of one, that is written now. */
  private StringBuilder body = new StringBuilder();

  StatementWriter(CheckedTree tree, ClassSource source) {
    this.tree = tree;
    this.source = source;
    constants = source.constants();
  }

  /** Returns the name of the method of the whole condition. */
  String write() {
    return method(tree.root());
  }

  private String method(CelExpr node) {
    StringBuilder outer = body;
    body = new StringBuilder();
    if (isLogic(node)) {
      boolean isAnd = is(node, Operator.LOGICAL_AND);
      String decisive = isAnd ? "FALSE" : "TRUE";
      body.append("int all = %s;\nint one = FAILURE;\n".formatted(isAnd ? "TRUE" : "FALSE"));
      for (CelExpr operand : operands(node)) {
        String one = method(operand);
        body.append("one = %s(f);\n".formatted(one))
            .append("if (one == %s) {\nreturn %s;\n}\n".formatted(decisive, decisive))
            .append("if (one == FAILURE) {\nall = FAILURE;\n}\n");
      }
      body.append("return all;\n");
    } else {
      Value condition = present(node, Kind.BOOL);
      body.append("if (%s) {\nreturn TRUE;\n}\nreturn FALSE;\n".formatted(condition.java));
    }
    String name = source.addMethod(body);
    body = outer;
    return name;
  }

  private boolean is(CelExpr node, Operator operator) {
    return node.getKind() == CelExpr.ExprKind.Kind.CALL
        && node.call().function().equals(operator.getFunction())
        && !tree.computed().containsKey(node.id());
  }

  private boolean isLogic(CelExpr node) {
    return is(node, Operator.LOGICAL_AND) || is(node, Operator.LOGICAL_OR);
  }

  /** Returns the operands of a chain of one operator. */
  private List<CelExpr> operands(CelExpr node) {
    List<CelExpr> operands = new ArrayList<>();
    for (CelExpr operand : node.call().args()) {
      boolean isSame = isLogic(operand) && operand.call().function().equals(node.call().function());
      operands.addAll(isSame ? operands(operand) : List.of(operand));
    }
    return operands;
  }

  /** Declares a variable, and returns its name. */
  private String declare(String type, String java) {
    String local = "v" + locals;
    locals++;
    body.append("%s %s = %s;\n".formatted(type, local, java));
    return local;
  }

  private Value declared(Kind kind, String java) {
    return new Value(kind, declare(kind.type, java));
  }

  private Value write(CelExpr node) {
    if (tree.computed().containsKey(node.id())) {
      return constant(literal(node));
    }
    return switch (node.getKind()) {
      case CONSTANT -> constant(literal(node));
      case IDENT -> fact(node.ident().name());
      case CALL -> call(node);
      default -> throw new UnsupportedNodeException();
    };
  }

  /** Writes an operand that must not be null. */
  private Value present(CelExpr node) {
    Value value = write(node);
    if (value.kind == Kind.NULL) {
      throw new UnsupportedNodeException();
    }
    if (value.isNull != null) {
      body.append(FAIL_IF.formatted(value.isNull));
    }
    return new Value(value.kind, value.java);
  }

  private Value present(CelExpr node, Kind kind) {
    Value value = present(node);
    if (value.kind != kind) {
      throw new UnsupportedNodeException();
    }
    return value;
  }

  /** Returns the value of a node that is a literal, or a call of literals alone. */
  private Object literal(CelExpr node) {
    Object computed = tree.computed().get(node.id());
    if (computed != null) {
      return computed;
    }
    if (node.getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
      throw new UnsupportedNodeException();
    }
    CelConstant constant = node.constant();
    return switch (constant.getKind()) {
      case NULL_VALUE -> constant.nullValue();
      case BOOLEAN_VALUE -> constant.booleanValue();
      case INT64_VALUE -> constant.int64Value();
      case DOUBLE_VALUE -> constant.doubleValue();
      case STRING_VALUE -> constant.stringValue();
      default -> throw new UnsupportedNodeException();
    };
  }

  private <T> T literal(CelExpr node, Class<T> type) {
    Object literal = literal(node);
    if (!type.isInstance(literal)) {
      throw new UnsupportedNodeException();
    }
    return type.cast(literal);
  }

  private <T> List<T> literals(List<CelExpr> nodes, Class<T> type) {
    List<T> literals = new ArrayList<>();
    for (CelExpr node : nodes) {
      literals.add(literal(node, type));
    }
    return literals;
  }

  private Value constant(Object value) {
    if (value instanceof Boolean isTrue) {
      // As a variable: a constant could make code of the method unreachable, which is an error.
      return declared(Kind.BOOL, isTrue ? "true" : "false");
    }
    if (value instanceof Long number) {
      return new Value(Kind.LONG, longConstant(number));
    }
    if (value instanceof Double number) {
      int index = Constants.add(constants.doubles, number);
      return new Value(Kind.DOUBLE, "doubles[%d]".formatted(index));
    }
    if (value instanceof String text) {
      return new Value(Kind.TEXT, textConstant(text));
    }
    if (value instanceof NullValue) {
      return new Value(Kind.NULL, "null", "true");
    }
    if (value instanceof Instant instant) {
      long millis = instant.toEpochMilli();
      if (Instant.ofEpochMilli(millis).equals(instant)) {
        return new Value(Kind.TIME, longConstant(millis));
      }
    }
    throw new UnsupportedNodeException();
  }

  private String longConstant(long number) {
    return "longs[%d]".formatted(Constants.add(constants.longs, number));
  }

  private String textConstant(String text) {
    return "texts[%d]".formatted(Constants.add(constants.texts, text));
  }

  private int zone(CelExpr node) {
    return Constants.add(constants.zones, ZoneId.of(literal(node, String.class)));
  }

  private Value fact(String text) {
    Name name = Name.find(text).orElseThrow(UnsupportedNodeException::new);
    return switch (name) {
      case USER -> declared(Kind.TEXT, "f.user()");
      case CELL -> nullable(Kind.TEXT, "f.cell()", "%s == null");
      case NETWORK -> nullable(Kind.TEXT, "f.network()", "%s == null");
      case SOURCE -> declared(Kind.TEXT, "f.source()");
      case LON -> declared(Kind.DOUBLE, "f.lon()");
      case LAT -> declared(Kind.DOUBLE, "f.lat()");
      case ACCURACY -> nullable(Kind.DOUBLE, "f.accuracy()", "Double.isNaN(%s)");
      case ALTITUDE -> nullable(Kind.DOUBLE, "f.altitude()", "Double.isNaN(%s)");
      case SPEED -> nullable(Kind.DOUBLE, "f.speed()", "Double.isNaN(%s)");
      case TIME -> declared(Kind.TIME, "f.timeMillis()");
      case FAR -> declared(Kind.BOOL, "f.isFar()");
    };
  }

  private Value nullable(Kind kind, String java, String isNull) {
    String local = declare(kind.type, java);
    return new Value(kind, local, isNull.formatted(local));
  }

  private Value call(CelExpr node) {
    CelExpr.CelCall call = node.call();
    List<CelExpr> operands = new ArrayList<>();
    call.target().ifPresent(operands::add);
    operands.addAll(call.args());
    Optional<Operator> operator = Operator.findReverse(call.function());
    return operator.isPresent()
        ? operation(operator.get(), node, operands)
        : function(call.function(), operands);
  }

  private Value operation(Operator operator, CelExpr node, List<CelExpr> operands) {
    return switch (operator) {
      case LOGICAL_AND, LOGICAL_OR -> {
        String result = declare("int", method(node) + "(f)");
        body.append(FAIL_IF.formatted(result + " == FAILURE"));
        yield declared(Kind.BOOL, result + " == TRUE");
      }
      case LOGICAL_NOT -> computed(Kind.BOOL, Map.of(Kind.BOOL, "!%s"), operands);
      case CONDITIONAL -> conditional(operands);
      case EQUALS -> declared(Kind.BOOL, equality(operands));
      case NOT_EQUALS -> declared(Kind.BOOL, "!(" + equality(operands) + ")");
      case LESS -> comparison("<", operands);
      case LESS_EQUALS -> comparison("<=", operands);
      case GREATER -> comparison(">", operands);
      case GREATER_EQUALS -> comparison(">=", operands);
      case IN -> declared(Kind.BOOL, membership(operands));
      case NEGATE -> arithmetic("Math.negateExact(%s)", "-%s", operands);
      case ADD -> {
        Map<Kind, String> formats =
            Map.of(
                Kind.LONG, "Math.addExact(%s, %s)",
                Kind.DOUBLE, "%s + %s",
                Kind.TEXT, "%s.concat(%s)");
        yield computed(null, formats, operands);
      }
      case SUBTRACT -> arithmetic("Math.subtractExact(%s, %s)", "%s - %s", operands);
      case MULTIPLY -> arithmetic("Math.multiplyExact(%s, %s)", "%s * %s", operands);
      case DIVIDE -> arithmetic("divide(%s, %s)", "%s / %s", operands);
      case MODULO -> computed(null, Map.of(Kind.LONG, "%s %% %s"), operands);
      default -> throw new UnsupportedNodeException();
    };
  }

  private Value arithmetic(String ofLongs, String ofDoubles, List<CelExpr> operands) {
    return computed(null, Map.of(Kind.LONG, ofLongs, Kind.DOUBLE, ofDoubles), operands);
  }

  /**
   * Writes an operation on operands of one kind.
   *
   * @param result the kind of the result; null: that of the operands
   * @param formats by the kind of the operands
   */
  private Value computed(@Nullable Kind result, Map<Kind, String> formats, List<CelExpr> operands) {
    Kind kind = null;
    List<String> values = new ArrayList<>();
    for (CelExpr operand : operands) {
      Value value = kind == null ? present(operand) : present(operand, kind);
      kind = value.kind;
      values.add(value.java);
    }
    if (kind == null || !formats.containsKey(kind)) {
      throw new UnsupportedNodeException();
    }
    String java = formats.get(kind).formatted(values.toArray());
    return declared(result == null ? kind : result, java);
  }

  private Value comparison(String symbol, List<CelExpr> operands) {
    Value left = present(operands.get(0));
    Value right = present(operands.get(1));
    String format;
    if (left.kind == Kind.DOUBLE && right.kind == Kind.LONG) {
      format = "compareNumbers(%1$s, %2$s) %3$s 0";
    } else if (left.kind == Kind.LONG && right.kind == Kind.DOUBLE) {
      format = "-compareNumbers(%2$s, %1$s) %3$s 0";
    } else if (left.kind != right.kind || left.kind == Kind.BOOL) {
      throw new UnsupportedNodeException();
    } else {
      format = left.kind == Kind.TEXT ? "compareTexts(%1$s, %2$s) %3$s 0" : "%1$s %3$s %2$s";
    }
    return declared(Kind.BOOL, format.formatted(left.java, right.java, symbol));
  }

  /** Null equals null alone. */
  private String equality(List<CelExpr> operands) {
    Value left = write(operands.get(0));
    Value right = write(operands.get(1));
    if (left.kind == Kind.NULL || right.kind == Kind.NULL) {
      String isNull = left.kind == Kind.NULL ? right.isNull : left.isNull;
      return isNull == null ? "false" : isNull;
    }
    // CEL's runtime compares the failure of a conjunction as if it were a value.
    if (left.kind != right.kind
        || (left.kind == Kind.BOOL && operands.stream().anyMatch(this::mayBeFailure))) {
      throw new UnsupportedNodeException();
    }
    if (left.kind == Kind.TEXT) {
      return "areEqual(%s, %s)".formatted(left.java, right.java);
    }
    String areEqual =
        left.unlessNull(right.unlessNull("%s == %s".formatted(left.java, right.java)));
    return left.isNull == null || right.isNull == null
        ? areEqual
        : "%s && %s || %s".formatted(left.isNull, right.isNull, areEqual);
  }

  private boolean mayBeFailure(CelExpr node) {
    return isLogic(node) || is(node, Operator.CONDITIONAL);
  }

  /** Null is in no list of literals. */
  private String membership(List<CelExpr> operands) {
    Value value = write(operands.get(0));
    if (operands.get(1).getKind() != CelExpr.ExprKind.Kind.LIST) {
      throw new UnsupportedNodeException();
    }
    List<CelExpr> list = operands.get(1).list().elements();
    String function;
    int index;
    switch (value.kind) {
      case TEXT -> {
        function = "isTextIn";
        index = Constants.add(constants.textSets, Set.copyOf(literals(list, String.class)));
      }
      case LONG -> {
        function = "isLongIn";
        index = Constants.add(constants.longLists, literals(list, Long.class));
      }
      case DOUBLE -> {
        function = "isDoubleIn";
        index = Constants.add(constants.doubleLists, literals(list, Double.class));
      }
      default -> throw new UnsupportedNodeException();
    }
    return value.unlessNull("%s(%d, %s)".formatted(function, index, value.java));
  }

  private Value conditional(List<CelExpr> operands) {
    Value condition = present(operands.get(0), Kind.BOOL);
    StringBuilder outer = body;
    StringBuilder ifTrue = new StringBuilder();
    body = ifTrue;
    Value first = write(operands.get(1));
    StringBuilder ifFalse = new StringBuilder();
    body = ifFalse;
    Value second = write(operands.get(2));
    body = outer;
    Kind kind = first.kind == Kind.NULL ? second.kind : first.kind;
    if (kind == Kind.NULL || (second.kind != kind && second.kind != Kind.NULL)) {
      throw new UnsupportedNodeException();
    }
    String result = declare(kind.type, kind.initial);
    boolean mayBeNull = first.isNull != null || second.isNull != null;
    String isNull = mayBeNull ? declare(Kind.BOOL.type, "false") : null;
    assign(first, result, isNull, ifTrue);
    assign(second, result, isNull, ifFalse);
    body.append("if (%s) {\n%s} else {\n%s}\n".formatted(condition.java, ifTrue, ifFalse));
    return new Value(kind, result, isNull);
  }

  private static void assign(
      Value value, String result, @Nullable String isNull, StringBuilder branch) {
    if (value.kind != Kind.NULL) {
      branch.append("%s = %s;\n".formatted(result, value.java));
    }
    if (value.isNull != null) {
      branch.append("%s = %s;\n".formatted(isNull, value.isNull));
    }
  }

  private Value function(String function, List<CelExpr> operands) {
    return switch (function) {
      case "startsWith" -> ofTexts(Kind.BOOL, "%s.startsWith(%s)", operands);
      case "endsWith" -> ofTexts(Kind.BOOL, "%s.endsWith(%s)", operands);
      case "contains" -> ofTexts(Kind.BOOL, "%s.contains(%s)", operands);
      case "size" -> ofTexts(Kind.LONG, "size(%s)", operands);
      case "int" -> {
        Map<Kind, String> formats =
            Map.of(
                Kind.LONG, "%s",
                Kind.DOUBLE, "toLong(%s)",
                Kind.TEXT, "Long.parseLong(%s)",
                Kind.TIME, "Math.floorDiv(%s, 1000L)");
        yield computed(Kind.LONG, formats, operands);
      }
      case "double" -> {
        Map<Kind, String> formats =
            Map.of(
                Kind.LONG, "(double) %s",
                Kind.DOUBLE, "%s",
                Kind.TEXT, "Double.parseDouble(%s)");
        yield computed(Kind.DOUBLE, formats, operands);
      }
      case "string" -> {
        Map<Kind, String> formats =
            Map.of(
                Kind.BOOL, "Boolean.toString(%s)",
                Kind.LONG, "Long.toString(%s)",
                Kind.DOUBLE, "Double.toString(%s)",
                Kind.TEXT, "%s",
                Kind.TIME, "java.time.Instant.ofEpochMilli(%s).toString()");
        yield computed(Kind.TEXT, formats, operands);
      }
      case "getFullYear" -> localTime("year", operands);
      case "getMonth" -> localTime("month", operands);
      case "getDate" -> localTime("date", operands);
      case "getDayOfWeek" -> localTime("dayOfWeek", operands);
      case "getHours" -> localTime("hour", operands);
      case "getMinutes" -> localTime("minute", operands);
      case "distance" -> computed(Kind.DOUBLE, Map.of(Kind.DOUBLE, "f.metersTo(%s, %s)"), operands);
      case "inside" -> {
        String fence = textConstant(literal(operands.get(0), String.class));
        yield declared(Kind.BOOL, "f.isInside(%s)".formatted(fence));
      }
      case "area" -> {
        String level = longConstant(literal(operands.get(0), Long.class));
        yield declared(Kind.TEXT, "f.area((int) %s)".formatted(level));
      }
      case "hour" -> {
        int zone = zone(operands.get(0));
        yield declared(Kind.LONG, "hour(%d, f.timeMillis())".formatted(zone));
      }
      default -> throw new UnsupportedNodeException();
    };
  }

  private Value ofTexts(Kind result, String format, List<CelExpr> operands) {
    return computed(result, Map.of(Kind.TEXT, format), operands);
  }

  private Value localTime(String method, List<CelExpr> operands) {
    Value time = present(operands.get(0), Kind.TIME);
    int zone = operands.size() == 1 ? Constants.add(constants.zones, UTC) : zone(operands.get(1));
    return declared(Kind.LONG, "%s(%d, %s)".formatted(method, zone, time.java));
  }
}
