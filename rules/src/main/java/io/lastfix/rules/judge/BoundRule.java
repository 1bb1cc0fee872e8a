package io.lastfix.rules.judge;

import io.lastfix.model.alert.Alert;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.Who;
import org.jspecify.annotations.Nullable;

/**
 * A rule, and the fence that a set has for its condition.
 *
 * @param fence null if the condition is an expression, or the set has no such fence
 * @param fenceMillis when the condition's fence was put, or deleted, in epoch milliseconds; 0 if
 *     there is none
 */
record BoundRule(
    CompiledRule compiled, @Nullable CompiledFence fence, long fenceMillis, Mode mode) {
  /** What a rule does, by the fences that it names. */
  enum Mode {
    /** The set has all of them. */
    ACTIVE,
    /** The condition's fence was deleted: the rule only ends what began there. */
    ENDING,
    /** One of them cannot be used, but is not deleted: the rule does nothing until it can. */
    FROZEN
  }

  boolean isActive() {
    return mode == Mode.ACTIVE;
  }

  boolean isFrozen() {
    return mode == Mode.FROZEN;
  }

  String id() {
    return compiled.message().id();
  }

  long version() {
    return compiled.message().version();
  }

  Rule rule() {
    return compiled.rule();
  }

  Condition when() {
    return rule().when();
  }

  Alert.Kind kind() {
    return when().kind();
  }

  /** Returns the version of the condition's fence; 0 if there is none. */
  long fenceVersion() {
    return fence == null ? 0 : fence.version();
  }

  /** Returns false if the rule is about other users, whatever their records are. */
  boolean concerns(String user) {
    Who who = rule().who();
    if (who instanceof Who.Users users) {
      return users.ids().contains(user);
    }
    return !(who instanceof Who.Beginning beginning) || user.startsWith(beginning.prefix());
  }
}
