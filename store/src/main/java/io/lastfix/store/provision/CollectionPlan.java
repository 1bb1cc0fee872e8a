package io.lastfix.store.provision;

import java.util.List;

/**
 * What has to be done to a collection, and what cannot be: one of the two lists is empty, since
 * nothing is done to a collection that disagrees.
 *
 * @param namespace database and collection, with a dot between
 * @param topology of the server
 * @param steps that make what is missing, in that order; empty: all is there
 * @param differences what is there and disagrees
 */
public record CollectionPlan(
    String namespace, Topology topology, List<Step> steps, List<Difference> differences) {
  public CollectionPlan {
    steps = List.copyOf(steps);
    differences = List.copyOf(differences);
  }

  /** Whether there is nothing to do, and nothing that disagrees. */
  public boolean isMet() {
    return steps.isEmpty() && differences.isEmpty();
  }
}
