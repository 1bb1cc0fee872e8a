package io.lastfix.cli.rules;

import io.lastfix.cli.output.Table;
import io.lastfix.operate.rules.RuleEntry;
import io.lastfix.operate.rules.RuleStore;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lastfix rule list}: lists the rules. */
@Command(
    name = "list",
    description = "Lists the rules, by id.",
    footer = "  lastfix rule list --json")
public final class RuleListCommand extends RulesTopicCommand {
  @Override
  int run(RuleStore store) {
    List<RuleEntry> entries = store.rules();
    Table table = new Table("RULE", "VERSION", "STATE", "WHEN", "PUT", "BY");
    for (RuleEntry entry : entries) {
      table.row(
          entry.rule(), entry.version(), entry.state(), entry.when(), entry.put(), entry.by());
    }
    print(entries, List.of(table));
    return 0;
  }
}
