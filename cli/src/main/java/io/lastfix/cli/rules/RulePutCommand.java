package io.lastfix.cli.rules;

import io.lastfix.operate.rules.RuleGroups;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix rule put}: stores a rule. */
@Command(
    name = "put",
    description = {
      "Checks a rule, and stores it as the next version of its id.",
      "An error has the file, the line and the column. The same text is not stored again.",
      "Putting a paused rule resumes it."
    },
    footer = "  lastfix rule put left-depot.yaml")
public final class RulePutCommand extends RulesChangeCommand {
  @Parameters(paramLabel = "FILE", description = "YAML with one rule.")
  private Path file;

  private String yaml = "";

  private Rule rule;

  @Override
  boolean createsTopic() {
    return true;
  }

  @Override
  void check() {
    yaml = text(file, RuleReader.MAX_LENGTH);
    try {
      rule = RuleStore.check(yaml);
    } catch (TextException e) {
      throw failure(file, e);
    }
  }

  @Override
  int run(RuleStore store) throws IOException {
    Change change;
    Optional<String> problem;
    try {
      change = store.putRule(yaml);
      problem = RuleGroups.problem(yaml, config());
    } catch (TextException e) {
      throw failure(file, e);
    }
    problem.ifPresent(this::say);
    int exitCode =
        print(
            store,
            change,
            (change.written()
                    ? "The rule %s is stored as version %d"
                    : "The rule %s is stored already, as version %d")
                .formatted(change.id(), change.version()));
    if (change.written()) {
      Map<Fence, Double> certainties = new LinkedHashMap<>();
      for (Condition.InFence part : rule.when().inFences()) {
        certainties.merge(store.fence(part.fence()), part.certainty(), Math::max);
      }
      sayIfTooSmall(certainties);
    }
    return exitCode;
  }
}
