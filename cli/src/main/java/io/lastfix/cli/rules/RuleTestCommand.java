package io.lastfix.cli.rules;

import io.lastfix.cli.common.StatusLine;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.rules.AlertRequest;
import io.lastfix.operate.rules.RuleReport;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.operate.rules.RuleTrial;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.text.Ids;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code lastfix rule test}: runs a rule over History. */
@Command(
    name = "test",
    description = {
      "Shows the alerts that a rule would have made of the records in History, oldest first. It"
          + " stores and publishes nothing.",
      "Without --from and --last it takes the last 24 h."
    },
    exitCodeList = {
      "0:found",
      "1:failed, or only the begin of the time was judged",
      "2:wrong usage",
      "3:no alerts in that time"
    },
    footer = "  lastfix rule test left-depot.yaml --last 7d")
public final class RuleTestCommand extends AlertRowsCommand {
  @Parameters(
      paramLabel = "FILE|ID",
      description = "YAML with one rule, or the id of a rule. A file's name has a dot or a slash.")
  private String rule = "";

  /** Null: the rule is a stored one. */
  private @Nullable String yaml;

  @Override
  void check() {
    if (Ids.isValid(rule)) {
      return;
    }
    Path file = Path.of(rule);
    yaml = RulesTopicCommand.text(file, RuleReader.MAX_LENGTH);
    try {
      var unused = RuleStore.check(yaml);
    } catch (TextException e) {
      throw RulesTopicCommand.failure(file, e);
    }
  }

  @Override
  int run(QuerySession session, AlertRequest request) throws IOException {
    RuleReport report;
    try (StatusLine status = StatusLine.onStandardError()) {
      report = RuleTrial.open(session, request, status::show).test(rule, yaml);
    } catch (TextException e) {
      throw RulesTopicCommand.failure(Path.of(rule), e);
    }
    print(report);
    if (!report.isWhole()) {
      return 1;
    }
    return report.alerts().rows().isEmpty() ? 3 : 0;
  }
}
