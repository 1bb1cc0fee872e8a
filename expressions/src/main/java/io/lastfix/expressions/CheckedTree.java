package io.lastfix.expressions;

import dev.cel.common.ast.CelExpr;
import java.util.Map;

/**
 * The tree of a checked condition.
 *
 * @param root the node of the whole condition
 * @param computed by node, what CEL's runtime computes for the calls whose operands are all
 *     literals
 */
public record CheckedTree(CelExpr root, Map<Long, Object> computed) {
  /** Copies the map. */
  public CheckedTree {
    computed = Map.copyOf(computed);
  }
}
