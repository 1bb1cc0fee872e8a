package io.lastfix.rules.judge;

import io.lastfix.expressions.Name;
import io.lastfix.model.Position;
import io.lastfix.rules.fence.FenceIndex;
import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Who;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the rules that a record may concern without visiting all. */
final class RuleIndex {
  private final List<FenceShape> shapes;
  private final FenceIndex fences;

  /** Rules that only a device in the fence, or one that was there, can concern. */
  private final Map<FenceShape, List<BoundRule>> byFence = new HashMap<>();

  /** Rules that only a record with that text of that name can concern. */
  private final Map<Name, Map<String, List<BoundRule>>> byText = new EnumMap<>(Name.class);

  private final ByWho elsewhere = new ByWho();
  private final ByWho aboutSilence = new ByWho();

  /** Rules, by whom they are about. */
  static final class ByWho {
    private final Map<String, List<BoundRule>> byUser = new HashMap<>();
    private final Map<String, List<BoundRule>> byGroup = new HashMap<>();
    private final List<BoundRule> others = new ArrayList<>();

    private void add(BoundRule rule) {
      if (rule.rule().who() instanceof Who.Users users) {
        users.ids().forEach(user -> RuleIndex.add(byUser, user, rule));
      } else if (rule.rule().who() instanceof Who.Members members) {
        RuleIndex.add(byGroup, members.group(), rule);
      } else {
        others.add(rule);
      }
    }

    /** Visits the rules that may concern a user. */
    void forEach(String user, @Nullable String group, Consumer<BoundRule> visitor) {
      others.forEach(visitor);
      byUser.getOrDefault(user, List.of()).forEach(visitor);
      if (group != null) {
        byGroup.getOrDefault(group, List.of()).forEach(visitor);
      }
    }
  }

  /**
   * Builds the index.
   *
   * @param rules active ones
   * @param shapes the fences that they name
   * @param before an earlier index; null if there is none
   */
  RuleIndex(Collection<BoundRule> rules, List<FenceShape> shapes, @Nullable RuleIndex before) {
    this.shapes = List.copyOf(shapes);
    fences =
        before != null && before.shapes.equals(shapes) ? before.fences : new FenceIndex(shapes);
    for (BoundRule rule : rules) {
      Set<FenceShape> gates = rule.gates();
      if (rule.when() instanceof Condition.Silent) {
        aboutSilence.add(rule);
      } else if (gates.isEmpty()) {
        addElsewhere(rule);
      } else {
        gates.forEach(gate -> add(byFence, gate, rule));
      }
    }
  }

  private void addElsewhere(BoundRule rule) {
    Map<Name, Set<String>> required = rule.required();
    // The first name has the most values, so the fewest rules of each.
    required.keySet().stream()
        .min(Comparator.naturalOrder())
        .ifPresentOrElse(
            name -> addByText(name, required.get(name), rule), () -> elsewhere.add(rule));
  }

  private void addByText(Name name, Set<String> texts, BoundRule rule) {
    Map<String, List<BoundRule>> rules = byText.computeIfAbsent(name, absent -> new HashMap<>());
    texts.forEach(text -> add(rules, text, rule));
  }

  private static <K> void add(Map<K, List<BoundRule>> rules, K key, BoundRule rule) {
    rules.computeIfAbsent(key, absent -> new ArrayList<>()).add(rule);
  }

  /** Returns the fences that contain the position, of those that rules name. */
  List<FenceShape> containing(Position position) {
    return shapes.isEmpty() ? List.of() : fences.containing(position);
  }

  /** Returns the rules that a device in the fence, or one that was there, can concern. */
  List<BoundRule> ofFence(FenceShape fence) {
    return byFence.getOrDefault(fence, List.of());
  }

  /** Returns the names whose texts rules require. */
  Set<Name> names() {
    return byText.keySet();
  }

  /** Returns the rules that require that text of a name. */
  List<BoundRule> ofText(Name name, @Nullable String text) {
    Map<String, List<BoundRule>> rules = byText.get(name);
    return rules == null || text == null ? List.of() : rules.getOrDefault(text, List.of());
  }

  /** Returns the rules that any position may concern, whatever texts its record has. */
  ByWho elsewhere() {
    return elsewhere;
  }

  /** Returns the rules about silence. */
  ByWho aboutSilence() {
    return aboutSilence;
  }
}
