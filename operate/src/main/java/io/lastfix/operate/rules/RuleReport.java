package io.lastfix.operate.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What a run of a rule over History has found.
 *
 * @param alerts the rows to print
 * @param about fields about all of them
 * @param lines about the run, for the operator
 * @param isWhole whether all of the time was judged
 */
public record RuleReport(AlertRows alerts, ObjectNode about, List<String> lines, boolean isWhole) {
  /** A field of the rows of {@link RuleTrial#replay}: {@code missing} or {@code surplus}. */
  public static final String STATE = "state";
}
