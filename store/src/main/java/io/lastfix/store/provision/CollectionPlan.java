package io.lastfix.store.provision;

import java.util.List;

/**
 * The steps that a collection needs, or the differences that prevent them. One of the two lists is
 * empty, since nothing is applied to a collection with differences.
 *
 * @param namespace database and collection, separated by a dot
 * @param steps steps that create what is missing, in order; empty: nothing is missing
 * @param differences existing properties that contradict the description
 */
public record CollectionPlan(String namespace, List<Step> steps, List<Difference> differences) {
  /** Returns true if nothing is missing and nothing differs. */
  public boolean isMet() {
    return steps.isEmpty() && differences.isEmpty();
  }
}
