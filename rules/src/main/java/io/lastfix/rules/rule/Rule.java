package io.lastfix.rules.rule;

import io.lastfix.expressions.Statement;
import io.lastfix.model.alert.Action;
import io.lastfix.rules.text.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A rule: what makes an alert, of which users, and what happens then.
 *
 * @param id 1 to 64 of a-z, 0-9 and dashes
 * @param quiet the time after an alert in which further ones of a user are only counted
 */
public record Rule(String id, Condition when, Who who, List<Action> then, Duration quiet) {
  /** Checks the id. */
  public Rule {
    var unused = Ids.require(id);
    then = List.copyOf(then);
  }

  /** Returns the ids of the fences that the rule names. */
  public Set<String> fences() {
    Set<String> fences = new TreeSet<>(when.fences());
    statements().forEach(statement -> fences.addAll(statement.fences()));
    return fences;
  }

  /** Returns the rule's expressions. */
  public List<Statement> statements() {
    List<Statement> statements = new ArrayList<>(when.statements());
    if (who instanceof Who.Matching matching) {
      statements.add(matching.statement());
    }
    return statements;
  }
}
