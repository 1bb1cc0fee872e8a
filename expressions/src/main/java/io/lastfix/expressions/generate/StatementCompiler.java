package io.lastfix.expressions.generate;

import io.lastfix.expressions.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.codehaus.commons.compiler.CompileException;

/**
 * Gives statements generated code. It compiles many of them as one class, and keeps the classes of
 * those that stay: a new statement costs a class of the latest ones alone. A class that no
 * statement uses any more can be unloaded.
 *
 * <p>CEL's runtime evaluates a statement until it has code, and for good if no code is generated
 * for it. One thread uses a compiler; others may evaluate the statements meanwhile.
 */
public final class StatementCompiler {
  /** With more, the class of the latest statements is kept, and another one begins. */
  static final int MOST_LATEST = 50;

  /** With more that are not full, all statements are compiled again, as a few large classes. */
  static final int MOST_CLASSES = 20;

  private final Loader loader;

  /** Those whose statements are not compiled again. */
  private final List<Generated> stable = new ArrayList<>();

  /** Those of the latest statements. */
  private List<Generated> latest = List.of();

  /** The statements that CEL's runtime evaluates for good. */
  private final Set<Statement> interpreted = new HashSet<>();

  /** Makes a class of its source. */
  interface Loader {
    GeneratedCode load(ClassSource source) throws CompileException, ReflectiveOperationException;
  }

  /**
   * A class.
   *
   * @param statements that it was generated from
   * @param isFull whether it has no place for more
   */
  record Generated(GeneratedCode code, List<Statement> statements, boolean isFull) {}

  /** Creates a compiler without any class. */
  public StatementCompiler() {
    this(ClassSource::compile);
  }

  StatementCompiler(Loader loader) {
    this.loader = loader;
  }

  /**
   * Gives code to those statements that have none.
   *
   * @param statements all that are in use
   * @return what went wrong, by the statement that should have code and has none
   */
  public Map<Statement, String> update(Collection<Statement> statements) {
    Set<Statement> current = new LinkedHashSet<>(statements);
    interpreted.retainAll(current);
    dropUnused(current);
    Set<Statement> missing = new LinkedHashSet<>(current);
    missing.removeAll(interpreted);
    int unused = 0;
    for (Generated generated : stable) {
      for (Statement statement : generated.statements()) {
        if (!missing.remove(statement)) {
          unused++;
        }
      }
    }
    // Full ones would be as many again.
    long small = stable.stream().filter(generated -> !generated.isFull()).count();
    if (small > MOST_CLASSES || unused > Math.max(MOST_LATEST, current.size())) {
      stable.clear();
      latest = List.of();
      missing.addAll(current);
      missing.removeAll(interpreted);
    }
    if (latest.stream().flatMap(it -> it.statements().stream()).toList().containsAll(missing)) {
      return Map.of();
    }
    Map<Statement, String> problems = new LinkedHashMap<>();
    latest = generate(missing, problems);
    if (missing.size() > MOST_LATEST) {
      stable.addAll(latest);
      latest = List.of();
    }
    return problems;
  }

  /** Drops the classes of which no statement is in use, so they can be unloaded. */
  private void dropUnused(Set<Statement> current) {
    Predicate<Generated> isUnused =
        generated -> generated.statements().stream().noneMatch(current::contains);
    stable.removeIf(isUnused);
    latest = latest.stream().filter(isUnused.negate()).toList();
  }

  private List<Generated> generate(
      Collection<Statement> statements, Map<Statement, String> problems) {
    List<Generated> classes = new ArrayList<>();
    ClassSource source = new ClassSource();
    for (Statement statement : statements) {
      if (source.isFull()) {
        load(source, classes, problems);
        source = new ClassSource();
      }
      add(statement, source, problems);
    }
    load(source, classes, problems);
    return classes;
  }

  private void add(Statement statement, ClassSource source, Map<Statement, String> problems) {
    try {
      if (source.add(statement)) {
        return;
      }
    } catch (RuntimeException | StackOverflowError e) {
      // One statement must not cost the others their code.
      problems.put(statement, e.toString());
    }
    interpreted.add(statement);
  }

  private void load(ClassSource source, List<Generated> classes, Map<Statement, String> problems) {
    List<Statement> statements = source.statements();
    if (statements.isEmpty()) {
      return;
    }
    GeneratedCode code;
    try {
      code = loader.load(source);
    } catch (CompileException | ReflectiveOperationException | RuntimeException | LinkageError e) {
      // Likewise.
      if (statements.size() == 1) {
        interpreted.add(statements.get(0));
        problems.put(statements.get(0), e.toString());
      } else {
        int half = statements.size() / 2;
        classes.addAll(generate(statements.subList(0, half), problems));
        classes.addAll(generate(statements.subList(half, statements.size()), problems));
      }
      return;
    }
    for (int i = 0; i < statements.size(); i++) {
      statements.get(i).use(code, i);
    }
    classes.add(new Generated(code, statements, source.isFull()));
  }

  /** Returns the classes, the stable ones first. */
  List<Generated> classes() {
    List<Generated> classes = new ArrayList<>(stable);
    classes.addAll(latest);
    return classes;
  }

  /** Returns the statements that CEL's runtime evaluates for good. */
  Set<Statement> interpreted() {
    return interpreted;
  }
}
