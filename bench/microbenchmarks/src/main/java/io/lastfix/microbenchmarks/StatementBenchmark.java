package io.lastfix.microbenchmarks;

import io.lastfix.expressions.ExpressionException;
import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Language;
import io.lastfix.expressions.Literals;
import io.lastfix.expressions.Outcome;
import io.lastfix.expressions.Statement;
import io.lastfix.expressions.generate.StatementCompiler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A condition with arithmetic, of records that it is true of, and of others: by code that is
 * generated from it, by CEL's runtime, and as a lambda in Java. A score is the time of one record.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(StatementBenchmark.RECORDS)
public class StatementBenchmark {
  static final int RECORDS = 1_000;

  private static final String TEXT = "speed * 3.6 > 120.0 && accuracy < 50.0";

  private final Facts[] records = new Facts[RECORDS];
  private Predicate<Facts> lambda;
  private Statement interpreted;
  private Statement generated;

  /** Called by JMH. */
  @Setup
  public void prepare() throws ExpressionException {
    for (int i = 0; i < RECORDS; i++) {
      records[i] = new Sample(i % 60, i % 70);
    }
    lambda = facts -> facts.speed() * 3.6 > 120.0 && facts.accuracy() < 50.0;
    Language language = new Language();
    interpreted = language.compile(TEXT, new AnyLiterals());
    generated = language.compile(TEXT, new AnyLiterals());
    Map<Statement, String> problems = new StatementCompiler().update(List.of(generated));
    if (!generated.hasCode()) {
      throw new IllegalStateException("the condition has no code: " + problems);
    }
  }

  /** The same condition in Java. */
  @Benchmark
  public void lambda(Blackhole blackhole) {
    for (Facts facts : records) {
      blackhole.consume(lambda.test(facts));
    }
  }

  /** Code that is generated from the condition. */
  @Benchmark
  public void generated(Blackhole blackhole) {
    evaluate(generated, blackhole);
  }

  /** CEL's runtime. */
  @Benchmark
  public void interpreted(Blackhole blackhole) {
    evaluate(interpreted, blackhole);
  }

  private void evaluate(Statement statement, Blackhole blackhole) {
    for (Facts facts : records) {
      blackhole.consume(statement.evaluate(facts) == Outcome.TRUE);
    }
  }

  private record AnyLiterals() implements Literals {
    @Override
    public Optional<String> problemOfFence(String id) {
      return Optional.empty();
    }

    @Override
    public Optional<String> problemOfUser(String text, boolean isWhole) {
      return Optional.empty();
    }
  }

  private record Sample(double speed, double accuracy) implements Facts {
    @Override
    public String user() {
      return "van-1";
    }

    @Override
    public @Nullable String cell() {
      return null;
    }

    @Override
    public @Nullable String network() {
      return null;
    }

    @Override
    public String source() {
      return "gnss";
    }

    @Override
    public double lon() {
      return 0;
    }

    @Override
    public double lat() {
      return 0;
    }

    @Override
    public double altitude() {
      return Double.NaN;
    }

    @Override
    public long timeMillis() {
      return SampleMessages.NOW_MILLIS;
    }

    @Override
    public boolean isFar() {
      return false;
    }

    @Override
    public double metersTo(double lon, double lat) {
      return 0;
    }

    @Override
    public boolean isInside(String fence) {
      return false;
    }

    @Override
    public String area(int level) {
      return "";
    }
  }
}
