package io.lastfix.expressions;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Visits a checked tree, and collects what it uses. It accepts only nodes and functions that are
 * listed here: no loop, no access to members, and nothing whose cost depends on a text's pattern.
 */
final class TreeCheck {
  static final Set<String> FUNCTIONS =
      Stream.of(
              Stream.of(
                      Operator.CONDITIONAL,
                      Operator.LOGICAL_AND,
                      Operator.LOGICAL_OR,
                      Operator.LOGICAL_NOT,
                      Operator.EQUALS,
                      Operator.NOT_EQUALS,
                      Operator.LESS,
                      Operator.LESS_EQUALS,
                      Operator.GREATER,
                      Operator.GREATER_EQUALS,
                      Operator.ADD,
                      Operator.SUBTRACT,
                      Operator.MULTIPLY,
                      Operator.DIVIDE,
                      Operator.MODULO,
                      Operator.NEGATE,
                      Operator.IN)
                  .map(Operator::getFunction),
              Stream.of("startsWith", "endsWith", "contains", "size", "int", "double", "string"),
              Stream.of("timestamp", "duration", "getFullYear", "getMonth", "getDate"),
              Stream.of("getDayOfWeek", "getHours", "getMinutes"),
              FactFunction.names().stream())
          .flatMap(names -> names)
          .collect(Collectors.toUnmodifiableSet());

  /** Others compare a part of a text, or its order. */
  private static final Set<String> OF_WHOLE_TEXTS =
      Stream.of(Operator.EQUALS, Operator.NOT_EQUALS, Operator.IN, Operator.CONDITIONAL)
          .map(Operator::getFunction)
          .collect(Collectors.toUnmodifiableSet());

  private final CelAbstractSyntaxTree tree;
  private final Literals literals;
  private final Function<CelExpr, Optional<Object>> value;
  private final Set<Name> names = EnumSet.noneOf(Name.class);
  private final Set<String> fences = new TreeSet<>();
  private final Set<String> texts = new TreeSet<>();
  private final Map<Long, Object> computed = new HashMap<>();
  private boolean callsFunctions;

  /**
   * Visits a tree.
   *
   * @param value computes an expression that names nothing; empty if it cannot be computed
   */
  TreeCheck(
      CelAbstractSyntaxTree tree, Literals literals, Function<CelExpr, Optional<Object>> value)
      throws ExpressionException {
    this.tree = tree;
    this.literals = literals;
    this.value = value;
    visit(tree.getExpr());
  }

  /** Returns the names that the expression uses. */
  Set<Name> names() {
    return names;
  }

  /** Returns the ids of the fences that the expression names. */
  Set<String> fences() {
    return fences;
  }

  /** Returns the texts that the expression has as literals. */
  Set<String> texts() {
    return texts;
  }

  /** Returns by node the values of the calls whose operands are all literals. */
  Map<Long, Object> computed() {
    return computed;
  }

  /** Returns whether the expression calls a {@link FactFunction}. */
  boolean callsFunctions() {
    return callsFunctions;
  }

  private void visit(CelExpr node) throws ExpressionException {
    switch (node.getKind()) {
      case CONSTANT -> text(node.constant()).ifPresent(texts::add);
      case IDENT -> visitName(node);
      case CALL -> visitCall(node);
      case LIST -> visitAll(node.list().elements());
      default -> throw at(node, "expected no members, maps, messages and loops");
    }
  }

  private void visitAll(List<CelExpr> nodes) throws ExpressionException {
    for (CelExpr node : nodes) {
      visit(node);
    }
  }

  private void visitName(CelExpr node) throws ExpressionException {
    String text = node.ident().name();
    names.add(
        Name.find(text).orElseThrow(() -> at(node, "%s is no value of a record".formatted(text))));
  }

  private void visitCall(CelExpr node) throws ExpressionException {
    String function = node.call().function();
    if (!FUNCTIONS.contains(function)) {
      throw at(
          node,
          function.equals(Operator.INDEX.getFunction())
              ? "the operator [] is not available in rules"
              : "the function %s is not available in rules".formatted(function));
    }
    List<CelExpr> arguments = node.call().args();
    Optional<FactFunction> ofRecord = FactFunction.find(function);
    if (ofRecord.isPresent()) {
      callsFunctions = true;
      checkArguments(ofRecord.get(), arguments);
    }
    if (function.startsWith("get") && !arguments.isEmpty()) {
      CelExpr zone = arguments.get(0);
      require(zone, FactFunction.problemOfZone(literal(zone).stringValue()));
    }
    List<CelExpr> operands = new ArrayList<>();
    node.call().target().ifPresent(operands::add);
    operands.addAll(arguments);
    visitAll(operands);
    if (ofRecord.isEmpty() && operands.stream().allMatch(TreeCheck::isLiteral)) {
      computed.put(
          node.id(), value.apply(node).orElseThrow(() -> withoutValue(node, operands.get(0))));
    }
    if (operands.stream().anyMatch(TreeCheck::isUser)) {
      checkUsers(operands, OF_WHOLE_TEXTS.contains(function));
    }
  }

  private void checkArguments(FactFunction function, List<CelExpr> arguments)
      throws ExpressionException {
    for (int i = 0; i < arguments.size(); i++) {
      CelExpr argument = arguments.get(i);
      if (function.takesLiteral() || isLiteral(argument)) {
        require(argument, function.problem(i, literal(argument), literals));
      }
    }
    if (function == FactFunction.INSIDE) {
      fences.add(arguments.get(0).constant().stringValue());
    }
  }

  private static Optional<String> text(CelConstant literal) {
    return literal.getKind() == CelConstant.Kind.STRING_VALUE
        ? Optional.of(literal.stringValue())
        : Optional.empty();
  }

  private static boolean isLiteral(CelExpr node) {
    return node.getKind() == CelExpr.ExprKind.Kind.CONSTANT;
  }

  private CelConstant literal(CelExpr argument) throws ExpressionException {
    if (!isLiteral(argument)) {
      throw at(argument, "expected a literal, as the argument of this function");
    }
    return argument.constant();
  }

  private void require(CelExpr node, Optional<String> problem) throws ExpressionException {
    if (problem.isPresent()) {
      throw at(node, problem.get());
    }
  }

  private ExpressionException withoutValue(CelExpr node, CelExpr argument) {
    return switch (node.call().function()) {
      case "timestamp" -> at(argument, "expected a timestamp such as \"2026-11-20T00:00:00Z\"");
      case "duration" -> at(argument, "expected a duration such as \"90s\"");
      default -> at(node, "cannot be computed for any record");
    };
  }

  private static boolean isUser(CelExpr node) {
    return switch (node.getKind()) {
      case IDENT -> node.ident().name().equals(Name.USER.text());
      case LIST -> node.list().elements().stream().anyMatch(TreeCheck::isUser);
      default -> false;
    };
  }

  private void checkUsers(List<CelExpr> operands, boolean areWhole) throws ExpressionException {
    for (CelExpr operand : operands) {
      if (operand.getKind() == CelExpr.ExprKind.Kind.LIST) {
        checkUsers(operand.list().elements(), areWhole);
      } else if (isLiteral(operand)) {
        require(
            operand,
            text(operand.constant()).flatMap(text -> literals.problemOfUser(text, areWhole)));
      }
    }
  }

  private ExpressionException at(CelExpr node, String message) {
    Integer offset = tree.getSource().getPositionsMap().get(node.id());
    return Language.at(
        offset == null
            ? CelSourceLocation.NONE
            : tree.getSource().getOffsetLocation(offset).orElse(CelSourceLocation.NONE),
        message);
  }
}
