package io.lastfix.cli.rules;

import io.lastfix.cli.common.StatusLine;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.rules.AlertRequest;
import io.lastfix.operate.rules.RuleReport;
import io.lastfix.operate.rules.RuleTrial;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix rule replay}: compares the stored alerts of a rule with History. */
@Command(
    name = "replay",
    description = {
      "Compares the stored alerts of a rule with those that follow from History. It shows those"
          + " that are missing, and those that do not follow (surplus).",
      "Without --from and --last it takes the last 24 h."
    },
    exitCodeList = {
      "0:compared",
      "1:failed, or only the begin of the time was compared",
      "2:wrong usage"
    },
    footer = "  lastfix rule replay left-depot --last 7d")
public final class RuleReplayCommand extends AlertRowsCommand {
  @Parameters(paramLabel = "RULE", description = "Id of the rule.")
  private String id = "";

  @Override
  int run(QuerySession session, AlertRequest request) throws IOException {
    RuleReport report;
    try (StatusLine status = StatusLine.onStandardError()) {
      report = RuleTrial.open(session, request, status::show).replay(id);
    }
    print(report, RuleReport.STATE);
    return report.isWhole() ? 0 : 1;
  }
}
