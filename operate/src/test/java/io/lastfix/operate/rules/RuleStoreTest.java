package io.lastfix.operate.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import io.lastfix.model.Position;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.follow.Applied;
import io.lastfix.rules.follow.AppliedReadings;
import io.lastfix.rules.text.TextException;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleTopic;
import io.lastfix.rules.topic.StoredMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleStoreTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String LEFT = "{id: left, when: {fence: depot, is: left}}";
  private static final Fence DEPOT =
      new Fence("depot", new Fence.Circle(new Position(-122.4, 37.7), 150));

  /** Another operator may write before the next message. */
  private static final class TopicInMemory implements RuleTopic {
    private final List<RuleMessage> log = new ArrayList<>();
    private final List<RuleMessage> writtenByOthers = new ArrayList<>();

    @Override
    public Reading read(long from, Consumer<StoredMessage> messages) {
      for (long offset = from; offset < log.size(); offset++) {
        messages.accept(new StoredMessage(offset, log.get((int) offset)));
      }
      return new Reading(log.size(), List.of("offset 7: unreadable"));
    }

    @Override
    public void write(RuleMessage message) {
      log.addAll(writtenByOthers);
      writtenByOthers.clear();
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
    assertThat(topic.log).containsExactly(new RuleMessage.OfFence("depot", 1, NOW, DEPOT));
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
        .isInstanceOfSatisfying(
            TextException.class,
            e ->
                assertThat(e.placed())
                    .isEqualTo(
                        "1:38: this configuration stores pseudonyms: name those, which lastfix pseudonym prints"));
    assertThatThrownBy(() -> store.putRule(of.formatted("prefix: bus-")))
        .hasMessageStartingWith("this configuration stores pseudonyms, which have no");
    assertThatThrownBy(() -> store.putRule(of.formatted("expr: 'user == \"bus-17\"'")))
        .hasMessageStartingWith("this configuration stores pseudonyms: name those");
    assertThat(store.putRule(of.formatted("id: '0123456789abcdef0123456789abcdef'")).written())
        .isTrue();
  }

  @Test
  void rulesThatNameAUserAreFound() throws IOException, TextException {
    RuleStore store = store(false);
    store.putRule("{id: by-id, when: {expr: far}, who: {id: bus-17}}");
    store.putRule("{id: by-ids, when: {expr: far}, who: {ids: [bus-1, bus-17]}}");
    store.putRule("{id: by-who, when: {expr: far}, who: {expr: 'user == \"bus-17\"'}}");
    store.putRule("id: by-when\nwhen: {expr: \"user != 'bus-17' && far\"}\n");
    store.putRule(
        "id: by-step\nwhen: {sequence: [{expr: far}, {expr: 'user == \"bus-17\"'}], within: 1 h}\n");
    store.putRule("{id: by-prefix, when: {expr: far}, who: {prefix: bus-17}}");
    store.putRule("id: escaped\nwhen: {expr: 'user == \"bus\\u002d17\"'}\n");
    store.putRule("{id: of-another, when: {expr: far}, who: {id: bus-170}}");
    store.putRule("{id: bus-17, when: {expr: far}}");

    assertThat(RulesOfUser.find(topic, List.of("bus-17", "no-such-bus")))
        .contains(
            "rules that name the user: put them without it: by-id, by-ids, by-prefix, by-step,"
                + " by-when, by-who, escaped");
    assertThat(RulesOfUser.find(topic, List.of("bus-2"))).isEmpty();

    topic.log.add(rule("later", 1, "{id: later, when: {fence: depot, dwell: 1 min}}"));
    topic.log.add(new RuleMessage.Unreadable("rule/newest", 4, "the value has no text yaml"));
    assertThat(RulesOfUser.find(topic, List.of("bus-2")))
        .contains("rules that may name the user, but this release cannot read them: later, newest");
  }

  @Test
  void aTopicOfRulesThatIsAbsentOrCannotBeReadDoesNotStopAnErasure() {
    assertThat(
            RulesOfUser.find(
                failing(new StackException("there is no topic lastfix.rules")), List.of("a")))
        .isEmpty();
    assertThat(
            RulesOfUser.find(
                failing(new UncheckedIOException(new IOException("no answer"))), List.of("a")))
        .contains("rules that name the user; they could not be read: no answer");
  }

  private static RuleTopic failing(RuntimeException failure) {
    return new RuleTopic() {
      @Override
      public Reading read(long from, Consumer<StoredMessage> messages) throws IOException {
        if (failure instanceof UncheckedIOException unchecked) {
          throw unchecked.getCause();
        }
        throw failure;
      }

      @Override
      public void write(RuleMessage message) {
        throw failure;
      }
    };
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

  private static Applied applied(String job, int subtask, int of, long offset, Duration age) {
    return new Applied(job, subtask, of, 0, offset, NOW.minus(age));
  }

  private static Applied applied(int subtask, long offset) {
    return applied("b", subtask, 2, offset, Duration.ofSeconds(1));
  }

  /** Waits with readings that have been prepared; after the last one there is nothing new. */
  @SafeVarargs
  private static Propagation awaitJob(RuleStore store, Duration limit, List<Applied>... readings)
      throws IOException {
    Deque<List<Applied>> left = new ArrayDeque<>();
    for (List<Applied> reading : readings) {
      left.add(reading);
    }
    return store.awaitJob(
        since -> {
          assertThat(since).isEqualTo(NOW.minus(Propagation.SILENCE));
          return new AppliedReadings() {
            @Override
            public List<Applied> read() {
              return left.isEmpty() ? List.of() : left.poll();
            }

            @Override
            public void close() {
              left.clear();
            }
          };
        },
        limit);
  }

  @Test
  void aChangeIsWaitedForInAllSubtasksOfTheNewestJob() throws IOException, TextException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    Change change = store.putRule(LEFT);

    Propagation job =
        awaitJob(
            store,
            Duration.ofMinutes(1),
            List.of(applied("a", 0, 1, 2, Duration.ofSeconds(20)), applied(0, 1)),
            List.of(applied(1, 1), applied(0, 2)),
            List.of(),
            List.of(applied(1, 7)));

    assertThat(job).isEqualTo(new Propagation("b", 2, List.of()));
    assertThat(job.words()).isEqualTo("; the job 'rules' applies it");
    assertThat(job.of(change))
        .isEqualTo(new Propagation.Result("left", 1, true, "b", 2, List.of()));
  }

  @Test
  void anAcknowledgementFromTheFutureDoesNotHideTheJob() throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);

    Propagation job =
        awaitJob(
            store,
            Duration.ofMinutes(1),
            List.of(
                new Applied("ghost", 0, 32_768, 0, 5, Instant.MAX), applied(0, 1), applied(1, 1)));

    assertThat(job).isEqualTo(new Propagation("b", 2, List.of()));
  }

  @Test
  void ofManySubtasksTheFirstAreNamed() {
    List<Integer> missing = IntStream.range(0, 25).boxed().toList();

    assertThat(new Propagation("b", 30, missing).warning())
        .contains("do not apply it yet: 0, 1, ", ", 19 and 5 more. It is stored");
  }

  @Test
  void aSubtaskThatDoesNotApplyItInTimeIsNamed() throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);

    Propagation job =
        awaitJob(store, Duration.ofMillis(250), List.of(applied(0, 1), applied(1, 0)));

    assertThat(job).isEqualTo(new Propagation("b", 2, List.of(1)));
    assertThat(job.words()).isEqualTo("; the job 'rules' applies it in 1 of 2 subtasks");
    assertThat(job.warning())
        .isEqualTo(
            "These subtasks of the job b do not apply it yet: 1. It is stored, so they apply it once"
                + " they can: lastfix status shows the job");
  }

  @Test
  void aSubtaskThatHasAcknowledgedNothingIsNamed_AndThoseBeforeARescaleDoNotCount()
      throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);

    assertThat(
            awaitJob(
                store,
                Duration.ZERO,
                List.of(
                    applied("b", 0, 4, 1, Duration.ofSeconds(9)),
                    applied("b", 1, 4, 1, Duration.ofSeconds(9)),
                    applied("b", 1, 3, 1, Duration.ofSeconds(1)))))
        .isEqualTo(new Propagation("b", 3, List.of(0, 2)));
  }

  /** As of a TaskManager that is cut off from the job, but not from Kafka. */
  @Test
  void anEarlierAttemptThatStillRunsDoesNotCount() throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);

    assertThat(
            awaitJob(
                store,
                Duration.ZERO,
                List.of(
                    new Applied("b", 0, 1, 1, 0, NOW.minusSeconds(5)),
                    new Applied("b", 0, 1, 0, 1, NOW.minusSeconds(1)))))
        .isEqualTo(new Propagation("b", 1, List.of(0)));
  }

  @Test
  void withoutARecentAcknowledgementNoJobRuns() throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);

    assertThat(awaitJob(store, Duration.ofMinutes(1))).isEqualTo(Propagation.NONE);
    assertThat(
            awaitJob(
                store,
                Duration.ofMinutes(1),
                List.of(applied("b", 0, 2, 1, Duration.ofSeconds(31)))))
        .isEqualTo(Propagation.NONE);
    assertThat(Propagation.NONE.words()).isEqualTo("; no job 'rules' runs");
  }

  private static RuleMessage rule(String id, long version, String yaml) {
    return new RuleMessage.OfRule(id, version, new RuleMessage.Content(yaml, "bert", NOW));
  }

  @Test
  void aRuleOfANewerReleaseIsListed_AndKeepsAllFences() throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    topic.log.add(rule("later", 1, "{id: later, when: {fence: depot, dwell: 1 min}}"));
    topic.log.add(new RuleMessage.Unreadable("rule/newest", 4, "the value has no text yaml"));

    RuleStore another = store(false);
    assertThat(another.rule("later").when()).isEqualTo("unreadable for this release");
    assertThat(another.rule("later").state()).isEqualTo("not applied");
    assertThatThrownBy(() -> another.deleteFence("depot"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "this release cannot read rules that may name the fence depot: delete later, newest first,"
                + " or delete the fence with the newer release");
    assertThat(another.fences()).hasSize(1);
  }

  @Test
  void whatThisReleaseCannotReadIsNotReplaced() throws IOException {
    topic.log.add(new RuleMessage.OfFence("depot", 6, NOW, DEPOT));
    topic.log.add(new RuleMessage.Unreadable("fence/depot", 7, "geometry and radius are no fence"));
    topic.log.add(new RuleMessage.Unreadable("rule/left", 0, "the value is no JSON"));
    RuleStore store = store(false);
    int before = topic.log.size();

    assertThat(store.unreadable())
        .containsExactly(
            "offset 7: unreadable",
            "fence/depot, version 7: geometry and radius are no fence",
            "rule/left, version unknown: the value is no JSON");
    assertThat(store.fences()).isEmpty();
    String refusal =
        "this release cannot read fence/depot, version 7: geometry and radius are no fence;"
            + " delete it, or change it with the newer release that wrote it";
    assertThatThrownBy(() -> store.putFence(DEPOT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(refusal);
    assertThatThrownBy(() -> store.fence("depot")).hasMessage(refusal);
    assertThatThrownBy(() -> store.putRule("{id: left, when: {expr: far}}"))
        .hasMessageStartingWith("this release cannot read rule/left, version unknown");
    assertThatThrownBy(() -> store.pauseRule("left", ""))
        .hasMessageStartingWith("this release cannot read rule/left");
    assertThat(topic.log).hasSize(before);
  }

  @Test
  void whatThisReleaseCannotReadCanBeDeleted_AndThenPutAgain() throws IOException, TextException {
    topic.log.add(new RuleMessage.Unreadable("fence/depot", 7, "geometry and radius are no fence"));
    topic.log.add(new RuleMessage.Unreadable("rule/left", 0, "the value is no JSON"));
    RuleStore store = store(false);

    assertThatThrownBy(() -> store.deleteFence("depot")).hasMessageContaining("delete left first");
    assertThat(store.deleteRule("left").version()).isEqualTo(1);
    assertThat(store.deleteFence("depot").version()).isEqualTo(8);

    assertThat(store.putFence(DEPOT).version()).isEqualTo(9);
    assertThat(store.putRule("{id: left, when: {expr: far}}").version()).isEqualTo(2);
  }

  @Test
  void aRuleWhoseFenceIsDeletedAtTheSameTimeIsAsBefore() throws IOException, TextException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    topic.writtenByOthers.add(new RuleMessage.OfFence("depot", 2, NOW, null));

    assertThatThrownBy(() -> store.putRule(LEFT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "another operator deleted the fence depot at the same time, so the rule left is as before:"
                + " put the fence first");
    assertThat(store(false).rules()).isEmpty();

    String before = "{id: left, when: {expr: far}}";
    store.putRule(before);
    store.pauseRule("left", "at night");
    store.putFence(DEPOT);
    topic.writtenByOthers.add(new RuleMessage.OfFence("depot", 4, NOW, null));
    assertThatThrownBy(() -> store.putRule(LEFT)).isInstanceOf(IllegalStateException.class);
    assertThat(store(false).yaml("left")).isEqualTo(before);
    assertThat(store(false).rule("left").reason()).isEqualTo("at night");
  }

  @Test
  void aFenceThatARuleNamesAtTheSameTimeIsKept() throws IOException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    topic.writtenByOthers.add(rule("left", 1, LEFT));

    assertThatThrownBy(() -> store.deleteFence("depot"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the fence depot is named by rules: change or delete left first");
    assertThat(store(false).fence("depot")).isEqualTo(DEPOT);
  }

  @Test
  void aPauseOfAnotherVersionIsNone() throws IOException, TextException {
    RuleStore store = store(false);
    store.putRule("{id: a, when: {expr: far}}");
    topic.writtenByOthers.add(rule("a", 2, "{id: a, when: {expr: '!far'}}"));

    assertThatThrownBy(() -> store.pauseRule("a", "at night"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the rule a is not paused, because another operator has put version 2: lastfix rule show prints"
                + " that");
    assertThat(store.pauseRule("a", "at night")).isEqualTo(new Change("a", 2, true));
  }

  /** Compaction would keep only the late message. */
  @Test
  void theSameIsStoredAgainIfALateMessageWouldOutliveIt() throws IOException, TextException {
    RuleStore store = store(false);
    store.putFence(DEPOT);
    store.putRule(LEFT);
    store.putRule(LEFT + "\n");
    topic.log.add(rule("left", 1, LEFT));

    RuleStore another = store(false);
    assertThat(another.putRule(LEFT + "\n")).isEqualTo(new Change("left", 3, true));
    assertThat(another.putRule(LEFT + "\n")).isEqualTo(new Change("left", 3, false));
  }

  @Test
  void theNumberOfFencesIsBounded() throws IOException {
    for (int i = 0; i < RuleStore.MAX_FENCES; i++) {
      topic.log.add(new RuleMessage.OfFence("f" + i, 1, NOW, new Fence("f" + i, DEPOT.area())));
    }
    RuleStore store = store(false);

    assertThatThrownBy(() -> store.putFence(DEPOT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there are 100,000 fences, and no more are possible: delete one first");
    assertThat(store.putFence(new Fence("f7", new Fence.Circle(new Position(0, 0), 5))))
        .isEqualTo(new Change("f7", 2, true));
  }

  @Test
  void thePositionsOfAllFencesAreBounded() throws IOException {
    List<Position> ring = new ArrayList<>();
    for (int i = 0; i < Fence.Polygons.MAX_POSITIONS - 1; i++) {
      double direction = 2 * Math.PI * i / (Fence.Polygons.MAX_POSITIONS - 1);
      ring.add(new Position(Math.cos(direction), Math.sin(direction)));
    }
    ring.add(ring.get(0));
    Fence.Area largest = new Fence.Polygons(List.of(List.of(ring)));
    for (int i = 0; i < RuleStore.MAX_POSITIONS / Fence.Polygons.MAX_POSITIONS; i++) {
      topic.log.add(new RuleMessage.OfFence("f" + i, 1, NOW, new Fence("f" + i, largest)));
    }
    RuleStore store = store(false);

    assertThatThrownBy(() -> store.putFence(DEPOT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the fences would have 1,000,001 positions together, and 1,000,000 are possible: delete one"
                + " first");
    assertThat(store.putFence(new Fence("f7", DEPOT.area()))).isEqualTo(new Change("f7", 2, true));
    assertThat(store.putFence(DEPOT)).isEqualTo(new Change("depot", 1, true));
  }
}
