package io.lastfix.rules.judge;

import io.lastfix.expressions.Name;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.Who;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule, and the fences that a set has for its condition.
 *
 * @param fences by id, those of {@link Condition#inFences} that the set has
 * @param fenceMillis when the fence of a condition about one was put, or deleted, in epoch
 *     milliseconds; 0 if there is none
 */
record BoundRule(
    CompiledRule compiled, Map<String, CompiledFence> fences, long fenceMillis, Mode mode) {
  /** What a rule does, by the fences that it names. */
  enum Mode {
    /** The set has all of them. */
    ACTIVE,
    /** The condition's fence was deleted: the rule only ends what began there. */
    ENDING,
    /** One of them cannot be used, but is not deleted: the rule does nothing until it can. */
    FROZEN
  }

  /** Copies the map. */
  BoundRule {
    fences = Map.copyOf(fences);
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

  /** Returns the fence of a condition about one; null if the set does not have it. */
  @Nullable CompiledFence fence() {
    return when() instanceof Condition.InFence when ? fences.get(when.fence()) : null;
  }

  /** Returns a fence of the condition; null if the set does not have it. */
  @Nullable CompiledFence fence(String id) {
    return fences.get(id);
  }

  /**
   * Returns the version of the condition's fence, of a sequence the sum of all: it grows if one of
   * them changes. 0 if there is none.
   */
  long fenceVersion() {
    return fences.values().stream().mapToLong(CompiledFence::version).sum();
  }

  /**
   * Returns the fences of which one has to contain the device, or its last position before, so that
   * the rule can concern it if it has no standing. If there is none, any position can.
   */
  Set<FenceShape> gates() {
    if (!(begins() instanceof Condition.InFence first) || first.is() == Alert.Kind.OUTSIDE) {
      return Set.of();
    }
    Set<FenceShape> gates = new LinkedHashSet<>();
    addGate(first, gates);
    // That a device is inside of a fence that it has to enter or leave is kept from the first
    // record in it.
    when().inFences().stream().filter(Condition::isChange).forEach(part -> addGate(part, gates));
    return gates;
  }

  /** Returns the condition, of a sequence its first step. */
  private Condition begins() {
    return when() instanceof Condition.Sequence sequence ? sequence.steps().get(0) : when();
  }

  /**
   * Returns by name, of those of texts, the texts of which a record has to have one, so that a rule
   * without gates can concern it if it has no standing. They are those of the first expression that
   * is evaluated: if that is false, the rule does nothing; another outcome would be counted. A
   * sequence with a fence to enter or leave requires none, because each record in it counts.
   */
  Map<Name, Set<String>> required() {
    if (when().inFences().stream().anyMatch(Condition::isChange)) {
      return Map.of();
    }
    Who who = rule().who();
    if (who instanceof Who.Users users) {
      return Map.of(Name.USER, users.ids());
    }
    if (who instanceof Who.Matching matching) {
      return matching.statement().required();
    }
    return begins() instanceof Condition.Expression first ? first.statement().required() : Map.of();
  }

  private void addGate(Condition.InFence part, Set<FenceShape> gates) {
    CompiledFence fence = fences.get(part.fence());
    if (fence != null) {
      gates.add(fence.shape());
    }
  }

  /**
   * Returns false if the rule is about other users, whatever their records are.
   *
   * @param group of the user; null if it has none
   */
  boolean concerns(String user, @Nullable String group) {
    Who who = rule().who();
    if (who instanceof Who.Users users) {
      return users.ids().contains(user);
    }
    if (who instanceof Who.Members members) {
      return members.group().equals(group);
    }
    return !(who instanceof Who.Beginning beginning) || user.startsWith(beginning.prefix());
  }
}
