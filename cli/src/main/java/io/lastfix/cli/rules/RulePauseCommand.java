package io.lastfix.cli.rules;

import io.lastfix.operate.rules.RuleStore;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix rule pause}: pauses a rule. */
@Command(
    name = "pause",
    description = "Pauses a rule until it is put again.",
    footer = "  lastfix rule pause left-depot --reason 'depot moves'")
public final class RulePauseCommand extends RulesChangeCommand {
  @Parameters(paramLabel = "RULE", description = "Id of the rule.")
  private String id = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "no reason was given",
      description = "Shown with the rule (default: ${DEFAULT-VALUE}).")
  private String reason = "";

  @Override
  int run(RuleStore store) throws IOException {
    return print(store, store.pauseRule(id, reason), "The rule %s is paused".formatted(id));
  }
}
