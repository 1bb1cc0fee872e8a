package io.lastfix.operate.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Position;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.text.TextException;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleTopic;
import io.lastfix.rules.topic.StoredMessage;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class RuleStoreTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String LEFT = "{id: left, when: {fence: depot, is: left}}";
  private static final Fence DEPOT =
      new Fence("depot", new Fence.Circle(new Position(-122.4, 37.7), 150));

  private static final class TopicInMemory implements RuleTopic {
    private final List<RuleMessage> log = new ArrayList<>();

    @Override
    public Reading read(long from) {
      List<StoredMessage> messages = new ArrayList<>();
      for (long offset = from; offset < log.size(); offset++) {
        messages.add(new StoredMessage(offset, log.get((int) offset)));
      }
      return new Reading(messages, log.size(), List.of("offset 7: unreadable"));
    }

    @Override
    public void write(RuleMessage message) {
      log.add(message);
    }
  }

  private final TopicInMemory topic = new TopicInMemory();

  private RuleStore store(boolean storesPseudonyms) throws IOException {
    return new RuleStore(topic, storesPseudonyms, "anna", InstantSource.fixed(NOW));
  }

  @Test
  void aRuleNeedsItsFence_WithThePlace() throws IOException {
    RuleStore store = store(false);

    assertThatThrownBy(() -> store.putRule(LEFT))
        .isInstanceOfSatisfying(
            TextException.class,
            e ->
                assertThat(e.placed())
                    .isEqualTo(
                        "1:26: there is no fence depot: put it first with lastfix fence put"));
    assertThat(topic.log).isEmpty();
    assertThat(store.unreadable()).containsExactly("offset 7: unreadable");
  }

  @Test
  void whatIsPutIsListed_AndTheSameIsNotStoredAgain() throws IOException, TextException {
    RuleStore store = store(false);

    assertThat(store.putFence(DEPOT)).isEqualTo(new Change("depot", 1, true));
    assertThat(store.putFence(DEPOT)).isEqualTo(new Change("depot", 1, false));
    assertThat(store.putRule(LEFT)).isEqualTo(new Change("left", 1, true));
    assertThat(store.putRule(LEFT)).isEqualTo(new Change("left", 1, false));
    assertThat(store.putRule(LEFT + "\n")).isEqualTo(new Change("left", 2, true));

    assertThat(topic.log).hasSize(3);
    RuleStore another = store(false);
    assertThat(another.rules())
        .containsExactly(new RuleEntry("left", 2, "active", null, "left depot", NOW, "anna"));
    assertThat(another.yaml("left")).isEqualTo(LEFT + "\n");
    assertThat(another.fences()).containsExactly(new FenceEntry("depot", 1, "circle of 150 m"));
    assertThat(another.fence("depot")).isEqualTo(DEPOT);
  }

  @Test
  void aPausedRuleIsActiveAgainOnceItIsPut() throws IOException, TextException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    store.putRule(LEFT);

    assertThat(store.pauseRule("left", "at night")).isEqualTo(new Change("left", 1, true));
    assertThat(store.rule("left"))
        .isEqualTo(new RuleEntry("left", 1, "paused", "at night", "left depot", NOW, "anna"));

    assertThat(store.putRule(LEFT)).isEqualTo(new Change("left", 2, true));
    assertThat(store.rule("left").state()).isEqualTo("active");
  }

  @Test
  void aFenceThatARuleNamesIsNotDeleted() throws IOException, TextException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    store.putRule(LEFT);

    assertThatThrownBy(() -> store.deleteFence("depot"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the fence depot is named by rules: change or delete left first");

    assertThat(store.deleteRule("left")).isEqualTo(new Change("left", 2, true));
    assertThat(store.deleteFence("depot")).isEqualTo(new Change("depot", 2, true));
    assertThat(store.rules()).isEmpty();
    assertThat(store.fences()).isEmpty();
  }

  @Test
  void whatDoesNotExistIsNamed() throws IOException {
    RuleStore store = store(false);

    assertThatThrownBy(() -> store.rule("a"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("there is no rule a: lastfix rule list shows all");
    assertThatThrownBy(() -> store.pauseRule("a", "")).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> store.deleteRule("a")).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> store.deleteFence("a"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("there is no fence a: lastfix fence list shows all");
  }

  @Test
  void rulesNameUsersAsTheyAreStored() throws IOException, TextException {
    RuleStore store = store(true);
    String of = "{id: a, when: {expr: far}, who: {%s}}";

    assertThatThrownBy(() -> store.putRule(of.formatted("id: bus-17")))
        .hasMessage(
            "who: this configuration stores pseudonyms: name those, which lastfix pseudonym prints");
    assertThatThrownBy(() -> store.putRule(of.formatted("prefix: bus-")))
        .hasMessageStartingWith("who: this configuration stores pseudonyms, which have no");
    assertThat(store.putRule(of.formatted("id: '0123456789abcdef0123456789abcdef'")).written())
        .isTrue();
  }

  @Test
  void theirNumberIsBounded() throws IOException, TextException {
    for (int i = 0; i < RuleStore.MAX_RULES; i++) {
      topic.log.add(
          new RuleMessage.OfRule(
              "r" + i, 1, new RuleMessage.Content("{id: r, when: {expr: far}}", "anna", NOW)));
    }
    RuleStore store = store(false);

    assertThatThrownBy(() -> store.putRule("{id: one-more, when: {expr: far}}"))
        .hasMessage("there are 1000 rules, and no more are possible: delete one first");
    assertThat(store.putRule("{id: r7, when: {expr: '!far'}}"))
        .isEqualTo(new Change("r7", 2, true));
  }

  @Test
  void aRuleOfANewerReleaseIsListed() throws IOException {
    topic.log.add(
        new RuleMessage.OfRule(
            "later", 1, new RuleMessage.Content("id: later\nwhen: {window: 1 min}", "anna", NOW)));

    assertThat(store(false).rule("later").when()).isEqualTo("unreadable for this release");
  }
}
