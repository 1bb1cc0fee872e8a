package io.lastfix.expressions;

import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelVariableResolver;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A checked condition. {@link Language#compile} makes it. CEL's runtime evaluates it until it gets
 * {@link Code}, which has the same outcomes and is faster. It serves all threads.
 */
public final class Statement {
  private final String text;
  private final CelRuntime.Program program;
  private final CheckedTree tree;
  private final List<Name> names;
  private final Set<String> fences;
  private final Set<String> texts;
  private final boolean callsFunctions;
  private final Map<Name, Set<String>> required;
  private volatile @Nullable Place place;

  /** Where its code is. */
  private record Place(Code code, int index) {}

  Statement(String text, CelRuntime.Program program, CheckedTree tree, TreeCheck check) {
    this.text = text;
    this.program = program;
    this.tree = tree;
    required = Map.copyOf(RequiredTexts.of(tree.root()));
    names = List.copyOf(check.names());
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
   * Returns by name, of those of texts, the texts of which a record has to have one. For any other
   * record the condition is false, neither undecided nor failed.
   */
  public Map<Name, Set<String>> required() {
    return required;
  }

  /** Returns the checked tree, of which code can be generated. */
  public CheckedTree tree() {
    return tree;
  }

  /** Lets code evaluate the condition from now on, instead of CEL's runtime or earlier code. */
  public void use(Code code, int index) {
    place = new Place(code, index);
  }

  /** Returns whether code evaluates the condition. */
  public boolean hasCode() {
    return place != null;
  }

  /**
   * Evaluates the condition. A failure counts as {@link Outcome#UNDECIDED} if the record lacks a
   * value that the condition names. It throws nothing.
   */
  public Outcome evaluate(Facts facts) {
    Place current = place;
    int result = current == null ? interpret(facts) : current.code.evaluate(current.index, facts);
    return switch (result) {
      case Code.TRUE -> Outcome.TRUE;
      case Code.FALSE -> Outcome.FALSE;
      default -> lacksValue(facts) ? Outcome.UNDECIDED : Outcome.FAILED;
    };
  }

  private int interpret(Facts facts) {
    try {
      CelVariableResolver variables = name -> Name.find(name).map(found -> value(facts, found));
      Object result =
          callsFunctions
              ? program.eval(variables, FactFunction.of(facts))
              : program.eval(variables);
      return Boolean.TRUE.equals(result) ? Code.TRUE : Code.FALSE;
    } catch (CelEvaluationException | RuntimeException e) {
      return Code.FAILURE;
    }
  }

  private static Object value(Facts facts, Name name) {
    return Objects.requireNonNullElse(name.value(facts), NullValue.NULL_VALUE);
  }

  /** Allocates nothing: records often lack a value. */
  private boolean lacksValue(Facts facts) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).isAbsent(facts)) {
        return true;
      }
    }
    return false;
  }
}
