package io.lastfix.expressions;

import java.util.Optional;

/** Checks the literals of an expression that name something outside of it. */
public interface Literals {
  /** Returns what is wrong with the id of a fence; empty if nothing is. */
  Optional<String> problemOfFence(String id);

  /**
   * Returns what is wrong with a text that is compared with {@link Name#USER}; empty if nothing is.
   *
   * @param isWhole whether it stands for a whole id; else for a part of one, or for its order
   */
  Optional<String> problemOfUser(String text, boolean isWhole);
}
