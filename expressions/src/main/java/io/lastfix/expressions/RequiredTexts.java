package io.lastfix.expressions;

import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the texts that a condition requires, such as {@code user == "x"} in a conjunction. A
 * comparison of that kind always has a result. So if it is false, the conjunction is false,
 * although another operand may fail.
 */
final class RequiredTexts {
  private static final Set<Name> TEXTS = Set.of(Name.USER, Name.CELL, Name.NETWORK, Name.SOURCE);

  private RequiredTexts() {}

  /** Returns by name the texts of which a record has to have one. The sets cannot be changed. */
  static Map<Name, Set<String>> of(CelExpr node) {
    Map<Name, Set<String>> required = new EnumMap<>(Name.class);
    if (node.getKind() != CelExpr.ExprKind.Kind.CALL || node.call().args().size() != 2) {
      return required;
    }
    CelExpr left = node.call().args().get(0);
    CelExpr right = node.call().args().get(1);
    String function = node.call().function();
    if (function.equals(Operator.LOGICAL_AND.getFunction())) {
      required.putAll(of(left));
      of(right).forEach((name, texts) -> required.merge(name, texts, RequiredTexts::inBoth));
    } else if (function.equals(Operator.LOGICAL_OR.getFunction())) {
      Map<Name, Set<String>> ofRight = of(right);
      of(left)
          .forEach(
              (name, texts) -> {
                if (ofRight.containsKey(name)) {
                  required.put(name, inOne(texts, ofRight.get(name)));
                }
              });
    } else if (function.equals(Operator.EQUALS.getFunction())) {
      add(left, List.of(right), required);
      add(right, List.of(left), required);
    } else if (function.equals(Operator.IN.getFunction())
        && right.getKind() == CelExpr.ExprKind.Kind.LIST) {
      add(left, right.list().elements(), required);
    }
    return required;
  }

  private static Set<String> inBoth(Set<String> texts, Set<String> others) {
    Set<String> both = new HashSet<>(texts);
    both.retainAll(others);
    return Collections.unmodifiableSet(both);
  }

  private static Set<String> inOne(Set<String> texts, Set<String> others) {
    Set<String> all = new HashSet<>(texts);
    all.addAll(others);
    return Collections.unmodifiableSet(all);
  }

  private static void add(CelExpr name, List<CelExpr> values, Map<Name, Set<String>> required) {
    Optional<Name> found =
        name.getKind() == CelExpr.ExprKind.Kind.IDENT
            ? Name.find(name.ident().name()).filter(TEXTS::contains)
            : Optional.empty();
    if (found.isPresent() && values.stream().allMatch(RequiredTexts::isText)) {
      Set<String> texts = new HashSet<>();
      values.forEach(value -> texts.add(value.constant().stringValue()));
      required.put(found.get(), Collections.unmodifiableSet(texts));
    }
  }

  private static boolean isText(CelExpr node) {
    return node.getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && node.constant().getKind() == CelConstant.Kind.STRING_VALUE;
  }
}
