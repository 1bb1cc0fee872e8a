package io.lastfix.expressions;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Optional;

/**
 * The language of conditions: CEL with the names of {@link Name} and the functions of {@link
 * Facts}. It has no macros, so no loops; length, depth and number of nodes are bounded. One object
 * serves all threads.
 */
public final class Language {
  /** The longest expression, in code points. */
  public static final int MAX_LENGTH = 4_000;

  /** The most operations and values of an expression. */
  public static final int MAX_NODES = 200;

  /** Deeper ones could end the stack of a thread. */
  private static final int MAX_DEPTH = 100;

  /** Java's message, which CEL passes on. */
  private static final String NO_NUMBER = "For input string: ";

  /** The token {@code %} as some of CEL's messages have it: escaped, as for a format. */
  private static final String REMAINDER = "'%%'";

  /** CEL's name for the package of the names, of which rules have none. */
  private static final String NO_CONTAINER = " (in container '')";

  private final CelCompiler compiler;
  private final CelRuntime runtime;

  /** Declares names and functions. */
  public Language() {
    CelOptions options =
        CelOptions.current()
            // Otherwise speed > 20 fails, because 20 is an int and the speed a double.
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(0)
            .maxParseRecursionDepth(MAX_DEPTH)
            .maxParseExpressionNodeCount(MAX_NODES)
            .build();
    CelCompilerBuilder builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(options)
            .addFunctionDeclarations(FactFunction.declarations());
    for (Name name : Name.values()) {
      builder.addVar(name.text(), name.type());
    }
    compiler = builder.build();
    runtime =
        CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(options)
            .addLateBoundFunctions(FactFunction.names())
            .build();
  }

  /**
   * Checks a condition.
   *
   * @param literals checks what the condition names
   * @throws ExpressionException if it is none, or too large; has the place
   */
  public Statement compile(String text, Literals literals) throws ExpressionException {
    int length = text.codePointCount(0, text.length());
    if (length > MAX_LENGTH) {
      throw new ExpressionException(
          1, 1, "expected at most %d characters, found %d".formatted(MAX_LENGTH, length));
    }
    try {
      CelAbstractSyntaxTree tree = compiler.compile(text).getAst();
      if (!tree.getResultType().equals(SimpleType.BOOL)) {
        throw new ExpressionException(
            1,
            1,
            "expected a condition, which is true or false, found a value of type %s"
                .formatted(tree.getResultType().name()));
      }
      TreeCheck check = new TreeCheck(tree, literals, this::value);
      return new Statement(
          text,
          runtime.createProgram(tree),
          new CheckedTree(tree.getExpr(), check.computed()),
          check);
    } catch (CelValidationException e) {
      throw first(e);
    } catch (CelEvaluationException e) {
      throw new ExpressionException(1, 1, "cannot be evaluated: " + e.getMessage());
    } catch (StackOverflowError e) {
      // The bound of the depth counts some of the parser's rules only.
      throw new ExpressionException(1, 1, "expected fewer levels of nesting");
    }
  }

  /** Computes an expression that names nothing; empty if it cannot be computed. */
  private Optional<Object> value(CelExpr expression) {
    try {
      CelAbstractSyntaxTree tree =
          CelAbstractSyntaxTree.newParsedAst(expression, CelSource.newBuilder().build());
      return Optional.of(runtime.createProgram(compiler.check(tree).getAst()).eval());
    } catch (CelValidationException | CelEvaluationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static ExpressionException first(CelValidationException failure) {
    return failure.getErrors().stream()
        .findFirst()
        .map(Language::of)
        .orElseGet(
            () -> new ExpressionException(1, 1, "expected a condition: " + failure.getMessage()));
  }

  private static ExpressionException of(CelIssue issue) {
    return at(
        issue.getSourceLocation(),
        issue
            .getMessage()
            .replace(NO_CONTAINER, "")
            .replace(REMAINDER, "'%'")
            .replace(NO_NUMBER, "expected a number of at most 64 bits, found "));
  }

  /** CEL counts lines from 1 and columns from 0; -1 stands for an unknown place. */
  static ExpressionException at(CelSourceLocation location, String message) {
    return new ExpressionException(
        Math.max(1, location.getLine()), Math.max(0, location.getColumn()) + 1, message);
  }
}
