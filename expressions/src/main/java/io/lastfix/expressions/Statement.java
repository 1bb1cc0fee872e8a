package io.lastfix.expressions;

import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelVariableResolver;
import java.util.Set;

/**
 * A checked condition. {@link Language#compile} makes it; it is immutable, and serves all threads.
 */
public final class Statement {
  private final String text;
  private final CelRuntime.Program program;
  private final Set<Name> names;
  private final Set<String> fences;
  private final Set<String> texts;
  private final boolean callsFunctions;

  Statement(String text, CelRuntime.Program program, TreeCheck check) {
    this.text = text;
    this.program = program;
    names = Set.copyOf(check.names());
    fences = Set.copyOf(check.fences());
    texts = Set.copyOf(check.texts());
    callsFunctions = check.callsFunctions();
  }

  /** Returns the condition as it was written. */
  public String text() {
    return text;
  }

  /** Returns the ids of the fences that the condition names. */
  public Set<String> fences() {
    return fences;
  }

  /** Returns the texts that the condition has as literals, without their quotes and escapes. */
  public Set<String> texts() {
    return texts;
  }

  /**
   * Evaluates the condition. A failure counts as {@link Outcome#UNDECIDED} if the record lacks a
   * value that the condition names. It throws nothing.
   */
  public Outcome evaluate(Facts facts) {
    try {
      CelVariableResolver variables = name -> Name.find(name).map(found -> value(facts, found));
      Object result =
          callsFunctions
              ? program.eval(variables, FactFunction.of(facts))
              : program.eval(variables);
      return Boolean.TRUE.equals(result) ? Outcome.TRUE : Outcome.FALSE;
    } catch (CelEvaluationException | RuntimeException e) {
      boolean lacksValue = names.stream().anyMatch(name -> facts.value(name) == null);
      return lacksValue ? Outcome.UNDECIDED : Outcome.FAILED;
    }
  }

  private static Object value(Facts facts, Name name) {
    Object value = facts.value(name);
    return value == null ? NullValue.NULL_VALUE : value;
  }
}
