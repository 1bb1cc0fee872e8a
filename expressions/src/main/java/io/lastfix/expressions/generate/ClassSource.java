package io.lastfix.expressions.generate;

import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Statement;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/**
 * The Java source of one class, and its constants. It has nothing of a condition's text: only what
 * {@link StatementWriter} writes for a node, with indices of constants.
 */
final class ClassSource {
  /** More would make the method that selects a condition too large to be optimized. */
  static final int MOST_STATEMENTS = 500;

  /** Keeps a class of large conditions below the limits of class files. */
  private static final int MOST_METHODS = 5_000;

  private static final String PACKAGE = "lastfix.generated";
  private static final String NAME = "Conditions";
  private static final String FACTS = Facts.class.getName();

  private final Constants constants = new Constants();
  private final StringBuilder methods = new StringBuilder();
  private final List<Statement> statements = new ArrayList<>();

  /** The method of each statement. */
  private final List<String> entries = new ArrayList<>();

  private int count;

  boolean isFull() {
    return statements.size() >= MOST_STATEMENTS || count >= MOST_METHODS;
  }

  List<Statement> statements() {
    return statements;
  }

  Constants constants() {
    return constants;
  }

  /** Adds a statement, unless it has a node that no code is generated for. */
  boolean add(Statement statement) {
    int length = methods.length();
    try {
      entries.add(new StatementWriter(statement.tree(), this).write());
      statements.add(statement);
      return true;
    } catch (UnsupportedNodeException e) {
      methods.setLength(length);
      return false;
    }
  }

  /**
   * Adds a method. What it throws counts as a failure.
   *
   * @param body ends with a {@code return}
   * @return its name
   */
  String addMethod(CharSequence body) {
    String name = "m" + count;
    count++;
    methods
        .append("int %s(%s f) {\ntry {\n".formatted(name, FACTS))
        .append(body)
        .append("} catch (RuntimeException e) {\nreturn FAILURE;\n}\n}\n");
    return name;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("package %s;\n".formatted(PACKAGE))
        .append(
            "public final class %s extends %s {\n".formatted(NAME, GeneratedCode.class.getName()))
        .append("public %s(%s constants) {\n".formatted(NAME, Constants.class.getName()))
        .append("super(constants);\n}\n")
        .append("public int evaluate(int index, %s f) {\nswitch (index) {\n".formatted(FACTS));
    for (int i = 0; i < entries.size(); i++) {
      text.append("case %d: return %s(f);\n".formatted(i, entries.get(i)));
    }
    return text.append("default: throw new IndexOutOfBoundsException();\n}\n}\n")
        .append(methods)
        .append("}\n")
        .toString();
  }

  /** Compiles the class, and loads it by a class loader of its own. */
  GeneratedCode compile() throws CompileException, ReflectiveOperationException {
    SimpleCompiler compiler = new SimpleCompiler();
    compiler.setParentClassLoader(GeneratedCode.class.getClassLoader());
    compiler.cook(text());
    return compiler
        .getClassLoader()
        .loadClass(PACKAGE + "." + NAME)
        .asSubclass(GeneratedCode.class)
        .getConstructor(Constants.class)
        .newInstance(constants);
  }
}
