package io.lastfix.expressions.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.expressions.ExpressionException;
import io.lastfix.expressions.Language;
import io.lastfix.expressions.Outcome;
import io.lastfix.expressions.Statement;
import io.lastfix.expressions.TestLiterals;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Code and required texts, and CEL's runtime as their oracle. */
class GeneratedCodePropertyTest {
  private static final Language LANGUAGE = new Language();
  private static final int CONDITIONS = 40;
  private static final int RECORDS = 25;

  @Property(tries = 30)
  void codeHasTheOutcomesOfCelsRuntime(@ForAll long seed) {
    Random random = new Random(seed);
    RandomConditions conditions = new RandomConditions(random);
    List<Statement> interpreted = new ArrayList<>();
    List<Statement> compiled = new ArrayList<>();
    while (compiled.size() < CONDITIONS) {
      String text = conditions.condition();
      try {
        interpreted.add(LANGUAGE.compile(text, TestLiterals.ANY));
        compiled.add(LANGUAGE.compile(text, TestLiterals.ANY));
      } catch (ExpressionException e) {
        // Such as a division of literals by zero: it is no condition.
      }
    }

    assertThat(new StatementCompiler().update(compiled)).isEmpty();

    for (int i = 0; i < CONDITIONS; i++) {
      String text = compiled.get(i).text();
      assertThat(compiled.get(i).hasCode()).as(text).isTrue();
      assertThat(interpreted.get(i).hasCode()).as(text).isFalse();
      for (int j = 0; j < RECORDS; j++) {
        RandomFacts facts = RandomFacts.of(random);
        Outcome outcome = interpreted.get(i).evaluate(facts);
        assertThat(compiled.get(i).evaluate(facts)).as("%s of %s", text, facts).isEqualTo(outcome);
        if (!hasRequiredTexts(facts, compiled.get(i))) {
          assertThat(outcome).as("%s of %s", text, facts).isEqualTo(Outcome.FALSE);
        }
      }
    }
  }

  private static boolean hasRequiredTexts(RandomFacts facts, Statement statement) {
    return statement.required().entrySet().stream()
        .allMatch(
            required -> {
              String text = facts.text(required.getKey());
              return text != null && required.getValue().contains(text);
            });
  }
}
