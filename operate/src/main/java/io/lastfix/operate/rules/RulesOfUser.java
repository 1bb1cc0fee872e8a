package io.lastfix.operate.rules;

import io.lastfix.cluster.StackException;
import io.lastfix.rules.topic.RuleTopic;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Finds the rules that name a user. An erasure leaves them, since their texts are operators'. */
public final class RulesOfUser {
  private RulesOfUser() {}

  /**
   * Returns a line about them, and about rules that this release cannot read; empty if there is
   * none, or no topic of rules.
   *
   * @param users the user's names
   */
  public static Optional<String> find(RuleTopic topic, Collection<String> users) {
    try {
      RuleStore store = new RuleStore(topic, false, "", InstantSource.system());
      List<String> lines = new ArrayList<>();
      add(lines, "rules that name the user: put them without it: ", store.rulesNaming(users));
      add(
          lines,
          "rules that may name the user, but this release cannot read them: ",
          store.unreadableRules());
      return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", lines));
    } catch (StackException e) {
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of("rules that name the user; they could not be read: " + e.getMessage());
    }
  }

  private static void add(List<String> lines, String words, List<String> rules) {
    if (!rules.isEmpty()) {
      lines.add(words + String.join(", ", rules));
    }
  }
}
