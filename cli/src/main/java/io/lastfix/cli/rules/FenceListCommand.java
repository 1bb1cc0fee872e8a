package io.lastfix.cli.rules;

import io.lastfix.cli.output.Table;
import io.lastfix.operate.rules.FenceEntry;
import io.lastfix.operate.rules.RuleStore;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lastfix fence list}: lists the fences. */
@Command(
    name = "list",
    description = "Lists the fences, by id.",
    footer = "  lastfix fence list --json")
public final class FenceListCommand extends RulesTopicCommand {
  @Override
  int run(RuleStore store) {
    List<FenceEntry> entries = store.fences();
    Table table = new Table("FENCE", "VERSION", "SHAPE");
    for (FenceEntry entry : entries) {
      table.row(entry.fence(), entry.version(), entry.shape());
    }
    print(entries, List.of(table));
    return 0;
  }
}
