package io.lastfix.rules.rule;

import io.lastfix.expressions.Statement;
import java.util.Set;

/** The users that a rule is about. */
public sealed interface Who {
  /** All users. */
  record Everyone() implements Who {}

  /**
   * These users.
   *
   * @param ids as they are stored: if the job stores pseudonyms, those
   */
  record Users(Set<String> ids) implements Who {
    /** Copies the set. */
    public Users {
      ids = Set.copyOf(ids);
    }
  }

  /** The users whose ids begin with that text. */
  record Beginning(String prefix) implements Who {}

  /** The devices that are registered in that group. */
  record Members(String group) implements Who {}

  /** The records of which a condition is true. */
  record Matching(Statement statement) implements Who {}
}
