package io.lastfix.rules.judge;

import io.lastfix.model.Position;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.FenceIndex;
import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.rule.Who;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the rules that a record may concern without visiting all. */
final class RuleIndex {
  private final List<FenceShape> shapes;
  private final FenceIndex fences;

  /** Rules that only a device in the fence, or one that was there, can concern. */
  private final Map<FenceShape, List<BoundRule>> byFence = new HashMap<>();

  private final Map<String, List<BoundRule>> byUser = new HashMap<>();
  private final List<BoundRule> others = new ArrayList<>();

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
      CompiledFence fence = rule.fence();
      if (fence != null && rule.kind() != Alert.Kind.OUTSIDE) {
        add(byFence, fence.shape(), rule);
      } else if (rule.rule().who() instanceof Who.Users users) {
        users.ids().forEach(user -> add(byUser, user, rule));
      } else {
        others.add(rule);
      }
    }
  }

  private static <K> void add(Map<K, List<BoundRule>> rules, K key, BoundRule rule) {
    rules.computeIfAbsent(key, absent -> new ArrayList<>()).add(rule);
  }

  /** Returns the fences that contain the position, of those that rules name. */
  List<FenceShape> containing(Position position) {
    return shapes.isEmpty() ? List.of() : fences.containing(position);
  }

  /** Returns the rules of a fence, except for those with {@code outside}. */
  List<BoundRule> ofFence(FenceShape fence) {
    return byFence.getOrDefault(fence, List.of());
  }

  /** Returns the rules that any position of that user may concern, if they name the user. */
  List<BoundRule> ofUser(String user) {
    return byUser.getOrDefault(user, List.of());
  }

  /** Returns the rules that any position of any user may concern. */
  List<BoundRule> others() {
    return others;
  }
}
