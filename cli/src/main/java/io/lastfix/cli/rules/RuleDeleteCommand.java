package io.lastfix.cli.rules;

import io.lastfix.operate.rules.RuleStore;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix rule delete}: deletes a rule. */
@Command(
    name = "delete",
    description = "Deletes a rule.",
    footer = "  lastfix rule delete left-depot")
public final class RuleDeleteCommand extends RulesChangeCommand {
  @Parameters(paramLabel = "RULE", description = "Id of the rule.")
  private String id = "";

  @Override
  int run(RuleStore store) throws IOException {
    return print(store, store.deleteRule(id), "The rule %s is deleted".formatted(id));
  }
}
