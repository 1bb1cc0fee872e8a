package io.lastfix.cli.rules;

import io.lastfix.kit.text.PrintableText;
import io.lastfix.operate.rules.RuleEntry;
import io.lastfix.operate.rules.RuleStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix rule show}: prints a rule. */
@Command(
    name = "show",
    description = {
      "Prints a rule as it was put; with --json its version and state, too.",
      "Of a paused rule, the reason goes to standard error."
    },
    footer = "  lastfix rule show left-depot")
public final class RuleShowCommand extends RulesTopicCommand {
  @Parameters(paramLabel = "RULE", description = "Id of the rule.")
  private String id = "";

  @Override
  int run(RuleStore store) {
    RuleEntry entry = store.rule(id);
    if (isJson()) {
      printJson(emptyObject().putPOJO("rule", entry).put("yaml", store.yaml(id)));
      return 0;
    }
    store.yaml(id).stripTrailing().lines().map(PrintableText::of).forEach(out()::println);
    if (entry.reason() != null) {
      say("The rule %s is paused: %s", id, PrintableText.of(entry.reason()));
    }
    return 0;
  }
}
