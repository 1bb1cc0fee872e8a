package io.lastfix.expressions;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.Operator;
import dev.cel.common.ast.CelExpr;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Visits a checked tree, and collects what it uses. It accepts only nodes and functions that are
 * listed here: no loop, no access to members, and nothing whose cost depends on a text's pattern.
 */
final class TreeCheck {
  private static final Set<String> FUNCTIONS =
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

  private final CelAbstractSyntaxTree tree;
  private final Set<Name> names = EnumSet.noneOf(Name.class);
  private final Set<String> fences = new TreeSet<>();
  private boolean callsFunctions;

  TreeCheck(CelAbstractSyntaxTree tree) throws ExpressionException {
    this.tree = tree;
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

  /** Returns whether the expression calls a {@link FactFunction}. */
  boolean callsFunctions() {
    return callsFunctions;
  }

  private void visit(CelExpr node) throws ExpressionException {
    switch (node.getKind()) {
      case CONSTANT -> {}
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
      throw at(node, "the function %s is not available in rules".formatted(function));
    }
    Optional<FactFunction> ofRecord = FactFunction.find(function);
    if (ofRecord.isPresent()) {
      callsFunctions = true;
      if (ofRecord.get().takesLiteral()) {
        checkLiteral(ofRecord.get(), node.call().args().get(0));
      }
    }
    if (node.call().target().isPresent()) {
      visit(node.call().target().get());
    }
    visitAll(node.call().args());
  }

  private void checkLiteral(FactFunction function, CelExpr argument) throws ExpressionException {
    if (argument.getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
      throw at(argument, "expected a literal, as the argument of this function");
    }
    Optional<String> problem = function.problem(argument.constant());
    if (problem.isPresent()) {
      throw at(argument, problem.get());
    }
    if (function == FactFunction.INSIDE) {
      fences.add(argument.constant().stringValue());
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
