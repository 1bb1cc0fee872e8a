package io.lastfix.rules.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RulePublisherTest {
  /** A topic in memory, in which another program may write right before or after each message. */
  private static final class TopicInMemory implements RuleTopic {
    private final List<RuleMessage> log = new ArrayList<>();
    private final List<RuleMessage> writtenByOthers = new ArrayList<>();
    private final List<RuleMessage> writtenAfterwards = new ArrayList<>();

    @Override
    public Reading read(long from, Consumer<StoredMessage> messages) {
      for (long offset = from; offset < log.size(); offset++) {
        messages.accept(new StoredMessage(offset, log.get((int) offset)));
      }
      return new Reading(log.size(), List.of("offset 7: unreadable"));
    }

    /** What Kafka keeps: the last message of each key. */
    private RuleBook compacted() throws IOException {
      Map<String, RuleMessage> last = new LinkedHashMap<>();
      log.forEach(message -> last.put(message.key(), message));
      TopicInMemory compacted = new TopicInMemory();
      compacted.log.addAll(last.values());
      return new RulePublisher(compacted).book();
    }

    @Override
    public void write(RuleMessage message) {
      if (!writtenByOthers.isEmpty()) {
        log.add(writtenByOthers.remove(0));
      }
      log.add(message);
      log.addAll(writtenAfterwards);
      writtenAfterwards.clear();
    }
  }

  private final TopicInMemory topic = new TopicInMemory();

  private static RuleMessage.OfRule rule(long version, String yaml) {
    return new RuleMessage.OfRule(
        "a", version, new RuleMessage.Content(yaml, "anna", Instant.EPOCH));
  }

  private static long put(RulePublisher publisher, String yaml) throws IOException {
    return publisher.publish("rule/a", version -> rule(version, yaml));
  }

  @Test
  void eachMessageHasTheNextVersion() throws IOException {
    topic.log.add(rule(4, "before"));
    RulePublisher publisher = new RulePublisher(topic);

    assertThat(put(publisher, "x")).isEqualTo(5);
    assertThat(put(publisher, "y")).isEqualTo(6);
    assertThat(publisher.book().rules()).containsEntry("a", rule(6, "y"));
  }

  @Test
  void theOffsetIsAfterAllThatTheBookHas() throws IOException {
    RulePublisher publisher = new RulePublisher(topic);
    assertThat(publisher.offset()).isZero();

    put(publisher, "x");
    assertThat(publisher.offset()).isEqualTo(1);
    topic.writtenByOthers.add(rule(1, "of another program"));
    topic.writtenAfterwards.add(rule(2, "of another program"));
    publisher.pause(new RuleMessage.OfPause("a", 1, "anna", "at night"));

    assertThat(publisher.offset()).isEqualTo(4);
    assertThat(new RulePublisher(topic).offset()).isEqualTo(4);
  }

  @Test
  void twoThatWriteAtOnceGetTwoVersions() throws IOException {
    RulePublisher publisher = new RulePublisher(topic);
    topic.writtenByOthers.add(rule(1, "of another program"));

    assertThat(put(publisher, "mine")).isEqualTo(2);
    assertThat(topic.log)
        .containsExactly(rule(1, "of another program"), rule(1, "mine"), rule(2, "mine"));
    assertThat(publisher.book().rules()).containsEntry("a", rule(2, "mine"));
  }

  /** The other program repeats, so one of the two always succeeds. */
  @Test
  void theFirstOfAVersionKeepsIt() throws IOException {
    RulePublisher publisher = new RulePublisher(topic);
    topic.writtenAfterwards.add(rule(1, "of another program"));
    topic.writtenAfterwards.add(rule(2, "of another program"));

    assertThat(put(publisher, "mine")).isEqualTo(1);
    assertThat(publisher.book().rules()).containsEntry("a", rule(2, "of another program"));
    assertThat(put(publisher, "mine again")).isEqualTo(3);
  }

  @Test
  void anotherKeyOfThatVersionIsNoConflict() throws IOException {
    RulePublisher publisher = new RulePublisher(topic);
    topic.writtenByOthers.add(new RuleMessage.OfFence("a", 1, Instant.EPOCH, null));

    assertThat(put(publisher, "mine")).isEqualTo(1);
  }

  @Test
  void aKeyThatAnotherProgramWritesAllTheTimeIsGivenUp() throws IOException {
    RulePublisher publisher = new RulePublisher(topic);
    for (int version = 1; version <= 10; version++) {
      topic.writtenByOthers.add(rule(version, "of another program"));
    }

    assertThatThrownBy(() -> put(publisher, "mine"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "rule/a was written 10 times, each time after another program: run the command again");
  }

  /** The other program is dead: it does not repeat its message. */
  @Test
  void compactionKeepsTheMessageThatCounts_AlsoIfALateOneIsTheLast() throws IOException {
    topic.log.add(rule(4, "before"));
    RulePublisher publisher = new RulePublisher(topic);
    topic.writtenAfterwards.add(rule(3, "late"));

    assertThat(put(publisher, "mine")).isEqualTo(5);
    assertThat(topic.log)
        .containsExactly(rule(4, "before"), rule(5, "mine"), rule(3, "late"), rule(5, "mine"));
    assertThat(topic.compacted().rules()).containsEntry("a", rule(5, "mine"));
  }

  @Test
  void aNewerMessageOfAnotherProgramIsKeptLikewise_WithItsPause() throws IOException {
    RulePublisher publisher = new RulePublisher(topic);
    RuleMessage.OfPause pause = new RuleMessage.OfPause("a", 2, "bert", "at night");
    topic.writtenAfterwards.addAll(List.of(rule(2, "of another program"), pause, rule(1, "late")));

    assertThat(put(publisher, "mine")).isEqualTo(1);
    assertThat(topic.compacted().rules()).containsEntry("a", rule(2, "of another program"));
    assertThat(topic.compacted().pause(rule(2, "of another program"))).isEqualTo(pause);
  }

  @Test
  void theNextWriteOfAKeyEndsTheDanger() throws IOException {
    topic.log.addAll(List.of(new RuleMessage.OfRule("a", 6, null), rule(5, "late")));
    RulePublisher publisher = new RulePublisher(topic);
    assertThat(publisher.book().endangered("rule/a"))
        .contains(new RuleMessage.OfRule("a", 6, null));

    assertThat(put(publisher, "mine")).isEqualTo(7);
    assertThat(publisher.book().endangered("rule/a")).isEmpty();
    assertThat(topic.compacted().rules()).containsEntry("a", rule(7, "mine"));
  }

  @Test
  void aLatePauseDoesNotOutliveTheOneThatCounts() throws IOException {
    topic.log.addAll(List.of(rule(3, "x"), new RuleMessage.OfPause("a", 3, "bert", "at night")));
    RulePublisher publisher = new RulePublisher(topic);

    publisher.pause(new RuleMessage.OfPause("a", 2, "anna", "late"));

    assertThat(topic.compacted().pause(rule(3, "x")))
        .isEqualTo(new RuleMessage.OfPause("a", 3, "bert", "at night"));
  }

  @Test
  void aKeyThatThisReleaseCannotReadIsNotWritten() throws IOException {
    topic.log.addAll(
        List.of(rule(6, "before"), new RuleMessage.Unreadable("rule/a", 7, "no text yaml")));
    RulePublisher publisher = new RulePublisher(topic);

    assertThat(publisher.unreadable())
        .containsExactly("offset 7: unreadable", "rule/a, version 7: no text yaml");
    assertThat(publisher.book().rules()).isEmpty();
    assertThatThrownBy(() -> put(publisher, "mine"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "this release cannot read rule/a, version 7: no text yaml; delete it, or change it with the"
                + " newer release that wrote it");
    assertThat(topic.log).hasSize(2);
  }

  @Test
  void aKeyWithTheGreatestVersionIsNotWritten() throws IOException {
    topic.log.add(rule(RuleMessage.MAX_VERSION, "x"));
    RulePublisher publisher = new RulePublisher(topic);

    assertThatThrownBy(() -> put(publisher, "mine"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("rule/a has the greatest version, so it cannot change: use another id");
  }

  @Test
  void aPauseNeedsNoVersionOfItsOwn() throws IOException {
    topic.log.add(rule(3, "x"));
    RulePublisher publisher = new RulePublisher(topic);

    publisher.pause(new RuleMessage.OfPause("a", 3, "anna", "first"));
    publisher.pause(new RuleMessage.OfPause("a", 3, "anna", "second"));

    assertThat(publisher.book().pause(rule(3, "x")))
        .isEqualTo(new RuleMessage.OfPause("a", 3, "anna", "second"));
  }
}
