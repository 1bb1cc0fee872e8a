package io.lastfix.rules.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulePublisherTest {
  /** A topic in memory, in which another program may write right before or after each message. */
  private static final class TopicInMemory implements RuleTopic {
    private final List<RuleMessage> log = new ArrayList<>();
    private final List<RuleMessage> writtenByOthers = new ArrayList<>();
    private final List<RuleMessage> writtenAfterwards = new ArrayList<>();

    @Override
    public Reading read(long from) {
      List<StoredMessage> messages = new ArrayList<>();
      for (long offset = from; offset < log.size(); offset++) {
        messages.add(new StoredMessage(offset, log.get((int) offset)));
      }
      return new Reading(messages, log.size(), List.of());
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
    topic.writtenByOthers.add(new RuleMessage.OfFence("a", 1, null));

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
