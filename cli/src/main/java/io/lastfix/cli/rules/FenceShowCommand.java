package io.lastfix.cli.rules;

import io.lastfix.operate.rules.RuleStore;
import io.lastfix.rules.fence.FenceJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix fence show}: prints a fence. */
@Command(
    name = "show",
    description = "Prints a fence as GeoJSON, which fence put reads.",
    footer = "  lastfix fence show sfo")
public final class FenceShowCommand extends RulesTopicCommand {
  @Parameters(paramLabel = "FENCE", description = "Id of the fence.")
  private String id = "";

  @Override
  int run(RuleStore store) {
    printJson(FenceJson.feature(store.fence(id)));
    return 0;
  }
}
