package io.lastfix.cli.rules;

import io.lastfix.operate.rules.RuleStore;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix fence delete}: deletes a fence. */
@Command(
    name = "delete",
    description = "Deletes a fence that no rule names.",
    footer = "  lastfix fence delete sfo")
public final class FenceDeleteCommand extends RulesChangeCommand {
  @Parameters(paramLabel = "FENCE", description = "Id of the fence.")
  private String id = "";

  @Override
  int run(RuleStore store) throws IOException {
    return print(store, store.deleteFence(id), "The fence %s is deleted".formatted(id));
  }
}
