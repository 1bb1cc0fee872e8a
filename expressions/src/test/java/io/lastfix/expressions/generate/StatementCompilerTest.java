package io.lastfix.expressions.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.expressions.ExpressionException;
import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Language;
import io.lastfix.expressions.Outcome;
import io.lastfix.expressions.Statement;
import io.lastfix.expressions.TestLiterals;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementCompilerTest {
  private static final RandomFacts FACTS =
      new RandomFacts("bus-17", null, null, "gnss", 0, 0, 5, Double.NaN, 300.5, 0, true);
  private static final int COLLECTIONS = 50;

  private final Language language = new Language();
  private final StatementCompiler compiler = new StatementCompiler();

  private Statement statement(String text) {
    try {
      return language.compile(text, TestLiterals.ANY);
    } catch (ExpressionException e) {
      throw new AssertionError(text, e);
    }
  }

  /** Returns statements of which those up to 300 are true of {@link #FACTS}. */
  private List<Statement> statements(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> statement("speed > %d.0 && user != 'u-%d'".formatted(i, i)))
        .toList();
  }

  private static List<Statement> together(List<Statement> some, List<Statement> others) {
    List<Statement> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private List<GeneratedCode> codes() {
    return compiler.classes().stream().map(StatementCompiler.Generated::code).toList();
  }

  @Test
  void aThousandStatementsAreTwoClasses() {
    List<Statement> statements = statements(0, 1_000);

    assertThat(compiler.update(statements)).isEmpty();

    assertThat(codes()).hasSize(2);
    for (int i = 0; i < statements.size(); i++) {
      assertThat(statements.get(i).hasCode()).isTrue();
      assertThat(statements.get(i).evaluate(FACTS))
          .isEqualTo(i <= 300 ? Outcome.TRUE : Outcome.FALSE);
    }
  }

  @Test
  void aNewStatementCostsAClassOfTheLatestAlone() {
    List<Statement> first = statements(0, 1_000);
    compiler.update(first);
    List<GeneratedCode> stable = codes();

    List<Statement> second = together(first, statements(1_000, 1_001));
    compiler.update(second);
    assertThat(codes()).startsWith(stable.get(0), stable.get(1)).hasSize(3);
    GeneratedCode latest = codes().get(2);

    compiler.update(together(second, statements(1_001, 1_002)));
    assertThat(codes()).startsWith(stable.get(0), stable.get(1)).hasSize(3).doesNotContain(latest);
    assertThat(compiler.classes().get(2).statements()).hasSize(2);
  }

  @Test
  void nothingNewIsNotCompiled() {
    List<Statement> statements = statements(0, 10);
    compiler.update(statements);
    List<GeneratedCode> before = codes();

    compiler.update(statements);
    compiler.update(statements.subList(0, 5));

    assertThat(codes()).isEqualTo(before);
  }

  @Test
  void manyClassesBecomeAFewAgain() {
    List<Statement> statements = List.of();
    int most = 0;
    for (int i = 0; i <= StatementCompiler.MOST_CLASSES + 1; i++) {
      int from = i * (StatementCompiler.MOST_LATEST + 1);
      statements = together(statements, statements(from, from + StatementCompiler.MOST_LATEST + 1));
      compiler.update(statements);
      most = Math.max(most, codes().size());
    }

    assertThat(most).isEqualTo(StatementCompiler.MOST_CLASSES + 1);
    assertThat(codes()).hasSizeLessThanOrEqualTo(3);
    assertThat(statements).allMatch(Statement::hasCode);
  }

  @Test
  void statementsThatAreGoneDoNotKeepTheirClasses() {
    List<Statement> statements = statements(0, 200);
    compiler.update(statements);

    compiler.update(statements.subList(0, 20));

    assertThat(compiler.classes()).hasSize(1);
    assertThat(compiler.classes().get(0).statements()).isEqualTo(statements.subList(0, 20));
  }

  @Test
  void aClassWithoutAStatementInUseIsDropped() {
    List<Statement> first = statements(0, 100);
    List<Statement> second = statements(100, 200);
    compiler.update(first);
    compiler.update(together(first, second));
    List<GeneratedCode> before = codes();

    compiler.update(second);

    assertThat(before).hasSize(2);
    assertThat(codes()).containsExactly(before.get(1));
    compiler.update(List.of());
    assertThat(codes()).isEmpty();
  }

  /** Otherwise each change of one of them would compile all. */
  @Test
  void manyFullClassesStay() {
    AtomicInteger loaded = new AtomicInteger();
    StatementCompiler counting =
        new StatementCompiler(
            source -> {
              loaded.incrementAndGet();
              return new NoCode(source.constants());
            });
    int classes = StatementCompiler.MOST_CLASSES + 1;
    List<Statement> statements =
        IntStream.range(0, classes * ClassSource.MOST_STATEMENTS)
            .mapToObj(i -> statement("far"))
            .toList();

    counting.update(statements);
    counting.update(statements);

    assertThat(loaded).hasValue(classes);
  }

  private static final class NoCode extends GeneratedCode {
    private NoCode(Constants constants) {
      super(constants);
    }

    @Override
    public int evaluate(int index, Facts facts) {
      return FAILURE;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "time - time < duration('1s')",
        "time > timestamp('2026-11-20T00:00:00.0001Z') || far",
        "timestamp(int(speed)) > time",
        "(far && far) == far",
        "(far ? far : far) != !far",
        "far <= true",
        "far in [true]",
        "user in ['a', source] || far",
        "size(['a', user]) == 2"
      })
  void whatCodeIsNotGeneratedForStaysInCelsRuntime(String text) {
    Statement unsupported = statement(text);
    Statement supported = statement("far");

    assertThat(compiler.update(List.of(unsupported, supported))).isEmpty();

    assertThat(unsupported.hasCode()).isFalse();
    assertThat(supported.hasCode()).isTrue();
    assertThat(compiler.interpreted()).containsExactly(unsupported);
    assertThat(unsupported.evaluate(FACTS)).isEqualTo(Outcome.TRUE);
    assertThat(supported.evaluate(FACTS)).isEqualTo(Outcome.TRUE);
  }

  @Test
  void oneStatementThatCannotBeCompiledDoesNotCostTheOthersTheirCode() {
    List<Statement> statements = statements(0, 30);
    Statement broken = statements.get(17);
    StatementCompiler failing =
        new StatementCompiler(
            source -> {
              if (source.statements().contains(broken)) {
                throw new VerifyError("broken");
              }
              return source.compile();
            });

    assertThat(failing.update(statements))
        .isEqualTo(Map.of(broken, "java.lang.VerifyError: broken"));
    assertThat(failing.update(statements)).isEmpty();

    assertThat(statements).filteredOn(statement -> !statement.hasCode()).containsExactly(broken);
    assertThat(statements)
        .allMatch(statement -> statement.evaluate(FACTS) == Outcome.TRUE, "is true");
  }

  /** Janino would decode escapes of Unicode, and compile calls of any class. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"); Runtime.getRuntime().halt(1); (\"",
        "*/ } static { Runtime.getRuntime().halt(1); } /*",
        "\\u0022+halt()+\\u0022",
        "\\",
        "'",
        "\n",
        "\r\u2028\u0000",
        "%s%d%n",
        "${user}",
        "😀ä\ufffe",
        "texts[0]"
      })
  void aTextOfTheUserIsNoPartOfTheSource(String text) {
    String quoted =
        text.codePoints()
            .mapToObj(point -> "\\U%08x".formatted(point))
            .collect(Collectors.joining("", "'", "'"));
    Statement statement =
        statement(
            "user == %s && user in ['', %s] && user.startsWith(%s) && !inside(%s)"
                .formatted(quoted, quoted, quoted, quoted));
    ClassSource source = new ClassSource();

    assertThat(source.add(statement)).isTrue();
    assertThat(source.text())
        .matches("(?s)[a-zA-Z0-9_.,:;!=&|(){}\\[\\]\\n -]+")
        .doesNotContain("halt", "\\", "Runtime.");
    compiler.update(List.of(statement));
    assertThat(statement.hasCode()).isTrue();
    assertThat(statement.evaluate(FACTS.withUser(text))).isEqualTo(Outcome.TRUE);
    assertThat(statement.evaluate(FACTS.withUser(text + " "))).isEqualTo(Outcome.FALSE);
  }

  @Test
  void theLargestConditionIsCompiled() {
    // With user, == and && each, 200 nodes are reached at 50 comparisons.
    String text =
        IntStream.range(0, 50)
            .mapToObj(i -> "user != 'u-%d'".formatted(i))
            .collect(Collectors.joining(" && "));
    List<Statement> statements = IntStream.range(0, 150).mapToObj(i -> statement(text)).toList();

    assertThat(compiler.update(statements)).isEmpty();

    assertThat(codes()).hasSize(2);
    assertThat(statements)
        .allMatch(statement -> statement.evaluate(FACTS) == Outcome.TRUE, "is true");
  }

  /** Its metaspace would grow with each change of a rule. */
  @Test
  void aClassThatNoStatementUsesIsUnloaded() {
    Statement kept = statement("speed > 1.0");
    Random random = new Random(1);
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Statement changed = statement("speed > %d.5".formatted(random.nextInt(1_000_000)));
      compiler.update(List.of(kept, changed));
      assertThat(changed.hasCode()).isTrue();
      for (GeneratedCode code : codes()) {
        loaders.add(new WeakReference<>(code.getClass().getClassLoader()));
      }
    }

    assertThat(loaders).hasSize(1_000);
    assertThat(loaders.get(999).get()).isNotSameAs(getClass().getClassLoader());
    long loaded = loaders.size();
    for (int i = 0; i < COLLECTIONS && loaded > 1; i++) {
      System.gc();
      loaded = loaders.stream().filter(loader -> loader.get() != null).count();
    }
    assertThat(loaded).isEqualTo(1);
    assertThat(kept.evaluate(FACTS)).isEqualTo(Outcome.TRUE);
  }
}
