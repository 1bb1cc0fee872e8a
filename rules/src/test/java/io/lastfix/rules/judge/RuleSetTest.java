package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.expressions.Name;
import io.lastfix.expressions.Statement;
import io.lastfix.model.Position;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.rule.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RuleSetTest {
  private static final Fence.Circle ELSEWHERE = new Fence.Circle(new Position(10, 50), 100);

  private static TestRule left() {
    return TestRule.of(Alert.Kind.LEFT);
  }

  @Test
  void anEmptySetHasNothing() {
    assertThat(RuleSet.EMPTY.rules()).isZero();
    assertThat(RuleSet.EMPTY.fences()).isZero();
    assertThat(RuleSet.EMPTY.unreadable()).isEmpty();
    assertThat(RuleSet.EMPTY.version("left")).isZero();
    assertThat(RuleSet.EMPTY.hasOtherFences(RuleSet.EMPTY)).isFalse();
  }

  @Test
  void aSetHasTheNewestVersions() {
    RuleSet set = TestBook.with(left(), left(), left().id("other")).circle(600).set();

    assertThat(set.rules()).isEqualTo(2);
    assertThat(set.fences()).isEqualTo(1);
    BoundRule left = set.find("left", 2);
    assertThat(left).isNotNull();
    assertThat(left.fenceVersion()).isEqualTo(2);
    assertThat(left.fenceMillis()).isEqualTo(TestBook.put(2).toEpochMilli());
    assertThat(set.version("left")).isEqualTo(2);
    assertThat(set.version("other")).isEqualTo(1);
    assertThat(set.unreadable()).isEmpty();
  }

  @Test
  void aPausedRuleIsNotInTheSet_UntilItIsPutAgain() {
    TestBook book = TestBook.with(left()).pause("left");

    assertThat(book.set().version("left")).isZero();
    assertThat(book.set().rules()).isZero();
    assertThat(book.set().isPaused("left")).isTrue();
    assertThat(book.rule(left()).set().version("left")).isEqualTo(2);
    assertThat(book.set().isPaused("left")).isFalse();
  }

  @Test
  void aRuleThatCannotBeReadIsNamedWithThePlace_AndTheOthersWork() {
    RuleSet set =
        TestBook.with(left())
            .rule("newer", "id: newer\nwhen: {word: help}\n")
            .rule("wrong", "id: wrong\nwhen: {expr: 'speeed > 1'}\n")
            .set();

    assertThat(set.rules()).isEqualTo(1);
    assertThat(set.version("newer")).isZero();
    assertThat(set.unreadable()).hasSize(2);
    assertThat(set.unreadable().get(0)).startsWith("rule newer: 2:8: expected a mapping of");
    assertThat(set.unreadable().get(1)).startsWith("rule wrong: 2:15: undeclared reference");
  }

  @Test
  void aRuleWithoutItsFencesIsNotInTheSet() {
    TestBook book =
        new TestBook()
            .fence("yard", ELSEWHERE)
            .rule(left())
            .rule(left().id("who").fence("yard").who("expr", "inside(\"depot\")"))
            .rule(TestRule.expression("inside(\"depot\") || inside(\"yard\")"));

    assertThat(book.set().rules()).isZero();
    assertThat(book.set().version("left")).isZero();
    assertThat(book.set().unreadable())
        .containsExactly(
            "rule expr: there is no fence depot",
            "rule left: there is no fence depot",
            "rule who: there is no fence depot");
    assertThat(book.circle(500).set().rules()).isEqualTo(3);
    assertThat(book.set().unreadable()).isEmpty();
  }

  @Test
  void aFenceThatIsNoneIsNamed() {
    RuleSet set =
        new TestBook()
            .fence(TestBook.DEPOT, new Fence.Circle(new Position(0, 90), 500))
            .rule(left())
            .set();

    assertThat(set.fences()).isZero();
    assertThat(set.unreadable())
        .containsExactly(
            "fence/depot, version 1: expected a fence without a pole",
            "rule left: cannot use the fence depot");
  }

  @Test
  void whatANewerReleaseWroteIsNamed_AndOfAFenceTheEarlierFormStays() {
    TestBook book = TestBook.with(left()).rule(left().id("other"));
    RuleSet before = book.set();
    RuleSet set = book.unreadable("fence/depot").unreadable("rule/other").set();

    assertThat(set.unreadable())
        .containsExactly(
            "fence/depot, version 2: the value is of a newer release; version 1 stays in force",
            "rule/other, version 2: the value is of a newer release");
    assertThat(set.rules()).isEqualTo(1);
    assertThat(set.fences()).isEqualTo(1);
    assertThat(set.hasOtherFences(before)).isFalse();
    RuleSet again = book.rule(left()).set();
    assertThat(again.unreadable()).isEqualTo(set.unreadable());

    RuleSet later = book.circle(600).set();
    assertThat(later.unreadable())
        .containsExactly("rule/other, version 2: the value is of a newer release");
    assertThat(later.hasOtherFences(again)).isTrue();
  }

  @Test
  void aFenceThatIsNoneDoesNotEndItsEarlierForm() {
    TestBook book = TestBook.with(left());
    RuleSet before = book.set();
    RuleSet set = book.fence(TestBook.DEPOT, new Fence.Circle(new Position(0, 90), 500)).set();

    assertThat(set.unreadable())
        .containsExactly(
            "fence/depot, version 2: expected a fence without a pole; version 1 stays in force");
    assertThat(set.rules()).isEqualTo(1);
    assertThat(set.hasOtherFences(before)).isFalse();
  }

  @Test
  void aFenceOfANewerReleaseWithoutAnEarlierFormStopsItsRules() {
    TestBook book =
        new TestBook()
            .unreadable("fence/depot")
            .rule(left())
            .rule(TestRule.expression("inside(\"depot\")"));
    RuleSet set = book.set();

    assertThat(set.unreadable())
        .containsExactly(
            "fence/depot, version 1: the value is of a newer release",
            "rule expr: cannot use the fence depot",
            "rule left: cannot use the fence depot");
    assertThat(set.rules()).isZero();
    assertThat(set.fences()).isZero();
    assertThat(set.version("left")).isZero();

    RuleSet later = book.circle(500).set();
    assertThat(later.rules()).isEqualTo(2);
    assertThat(later.hasOtherFences(set)).as("of devices that were inside before").isTrue();
  }

  @Test
  void onlyChangesAreCompiled() {
    TestBook book = TestBook.with(left(), left().id("other")).fence("yard", ELSEWHERE);
    RuleSet before = book.set();
    RuleSet after = book.rule(left().lasting(60)).fence("yard", ELSEWHERE).set();

    assertThat(compiled(after, "other", 1)).isSameAs(compiled(before, "other", 1));
    assertThat(compiled(after, "left", 2)).isNotEqualTo(compiled(before, "left", 1));
    assertThat(after.index().containing(TestBook.CENTER))
        .isEqualTo(before.index().containing(TestBook.CENTER))
        .hasSize(1);
  }

  @Test
  void aRuleIsFoundByTheTextThatItRequires() {
    RuleSet set =
        new TestBook()
            .rule(TestRule.expression("network == \"310-410\" && speed > 3.0").id("network"))
            .rule(
                TestRule.expression("speed > 3.0").id("who").who("expr", "user in [\"a\", \"b\"]"))
            .rule(TestRule.expression("cell == \"310-410-7-1\" && user == \"b\"").id("user"))
            .rule(TestRule.expression("far").id("named").who("id", "c"))
            .rule(
                TestRule.expression("user == \"d\"")
                    .id("who-may-be-undecided")
                    .who("expr", "accuracy < 30.0"))
            .rule(TestRule.expression("speed > 3.0").id("any"))
            .rule(
                TestRule.sequence(TestRule.step("network == \"310-410\""), TestRule.step("far"))
                    .id("steps"))
            .set();
    RuleIndex index = set.index();

    assertThat(index.names()).containsExactly(Name.USER, Name.NETWORK);
    assertThat(index.ofText(Name.USER, "a")).extracting(BoundRule::id).containsExactly("who");
    assertThat(index.ofText(Name.USER, "b"))
        .extracting(BoundRule::id)
        .containsExactlyInAnyOrder("who", "user");
    assertThat(index.ofText(Name.USER, "c")).extracting(BoundRule::id).containsExactly("named");
    assertThat(index.ofText(Name.USER, "d")).isEmpty();
    assertThat(index.ofText(Name.NETWORK, "310-410"))
        .extracting(BoundRule::id)
        .containsExactlyInAnyOrder("network", "steps");
    assertThat(index.ofText(Name.NETWORK, null)).isEmpty();
    assertThat(index.ofText(Name.CELL, "310-410-7-1")).isEmpty();
    assertThat(elsewhere(index, "a", null))
        .containsExactlyInAnyOrder("any", "who-may-be-undecided");
  }

  @Test
  void aSequenceWithAFenceToLeaveIsFoundByWhomItIsAbout_BecauseEachRecordInTheFenceCounts() {
    String first = TestRule.step("network == \"310-410\"");
    RuleIndex index =
        TestBook.with(
                TestRule.sequence(first, TestRule.step(Alert.Kind.LEFT)),
                TestRule.sequence(first, TestRule.step(Alert.Kind.LEFT)).id("named").who("id", "c"),
                TestRule.sequence(first, TestRule.step(Alert.Kind.LEFT))
                    .id("vans")
                    .who("group", "vans"))
            .set()
            .index();

    assertThat(index.names()).isEmpty();
    assertThat(elsewhere(index, "a", null)).containsExactly("sequence");
    assertThat(elsewhere(index, "c", null)).containsExactlyInAnyOrder("sequence", "named");
    assertThat(elsewhere(index, "a", "vans")).containsExactlyInAnyOrder("sequence", "vans");
  }

  private static List<String> elsewhere(RuleIndex index, String user, @Nullable String group) {
    List<String> ids = new ArrayList<>();
    index.elsewhere().forEach(user, group, rule -> ids.add(rule.id()));
    return ids;
  }

  @Test
  void theExpressionsOfARuleAreThoseOfItsConditionAndItsUsers() {
    RuleSet set =
        TestBook.with(
                left().who("expr", "far"),
                TestRule.expression("speed > 3.0").who("expr", "!far"),
                TestRule.sequence(
                    TestRule.step("lon < 0.0"),
                    TestRule.step(Alert.Kind.LEFT),
                    TestRule.step("lat > 0.0")),
                left().id("everyone"))
            .set();

    assertThat(set.statements())
        .extracting(Statement::text)
        .containsExactlyInAnyOrder("far", "speed > 3.0", "!far", "lon < 0.0", "lat > 0.0");
    assertThat(set.statements())
        .extracting(set::ruleWith)
        .containsExactlyInAnyOrder("left", "expr", "expr", "sequence", "sequence");
  }

  private static CompiledRule compiled(RuleSet set, String rule, long version) {
    BoundRule found = set.find(rule, version);
    assertThat(found).isNotNull();
    return found.compiled();
  }

  /** There may be 100,000. */
  @Test
  void aFenceThatNoRuleNamesIsNotCompiled() {
    TestBook book = TestBook.with().fence("pole", new Fence.Circle(new Position(0, 90), 500));
    RuleSet set = book.set();

    assertThat(set.fences()).isZero();
    assertThat(set.unreadable()).isEmpty();
    assertThat(set.index().containing(TestBook.CENTER)).isEmpty();

    RuleSet later = book.rule(left()).rule(left().id("north").fence("pole")).set();
    assertThat(later.fences()).isEqualTo(1);
    assertThat(later.index().containing(TestBook.CENTER)).hasSize(1);
    assertThat(later.unreadable())
        .containsExactly(
            "fence/pole, version 1: expected a fence without a pole",
            "rule north: cannot use the fence pole");
  }

  @Test
  void whatFailsInAnyOtherWayIsNamed_AndTheOthersWork() {
    RuleSet set =
        TestBook.with(left())
            .fence("yard", null)
            .rule(left().id("in-yard").fence("yard"))
            .rule("broken", null)
            .set();

    assertThat(set.version("left")).isEqualTo(1);
    assertThat(set.rules()).isEqualTo(1);
    assertThat(set.unreadable()).hasSize(3);
    assertThat(set.unreadable().get(0)).startsWith("rule broken: java.lang.NullPointerException");
    assertThat(set.unreadable().get(1))
        .startsWith("fence/yard, version 1: java.lang.NullPointerException");
    assertThat(set.unreadable().get(2)).isEqualTo("rule in-yard: cannot use the fence yard");
  }

  @Test
  void anotherSilenceIsThatOfANewVersion() {
    TestBook book = TestBook.with(left());
    RuleSet without = book.set();
    RuleSet first = book.rule(TestRule.silent(Condition.Silent.Sign.POSITION)).set();
    RuleSet same = book.rule(left()).set();
    RuleSet again = book.rule(TestRule.silent(Condition.Silent.Sign.PRESENCE)).set();
    RuleSet paused = book.pause("silent").set();

    assertThat(without.hasSilences()).isFalse();
    assertThat(first.hasSilences()).isTrue();
    assertThat(paused.hasSilences()).isFalse();
    assertThat(first.hasOtherSilences(without)).isTrue();
    assertThat(same.hasOtherSilences(first)).isFalse();
    assertThat(again.hasOtherSilences(same)).isTrue();
    assertThat(paused.hasOtherSilences(again)).isFalse();
  }

  @Test
  void anotherFenceIsThatOfARule_DifferentOrDeleted() {
    TestBook book = TestBook.with(left()).fence("yard", ELSEWHERE);
    RuleSet first = book.set();
    RuleSet withAnotherYard = book.fence("yard", new Fence.Circle(TestBook.CENTER, 100)).set();
    RuleSet moved = book.circle(600).set();
    RuleSet deleted = book.deleteFence(TestBook.DEPOT).set();
    RuleSet again = book.circle(600).rule(left()).set();

    assertThat(first.hasOtherFences(RuleSet.EMPTY)).isFalse();
    assertThat(withAnotherYard.hasOtherFences(first)).as("no rule names it").isFalse();
    assertThat(moved.hasOtherFences(withAnotherYard)).isTrue();
    assertThat(deleted.hasOtherFences(moved)).isTrue();
    assertThat(deleted.hasOtherFences(deleted)).isFalse();
    assertThat(again.hasOtherFences(deleted)).as("the new version begins anew").isFalse();
  }
}
