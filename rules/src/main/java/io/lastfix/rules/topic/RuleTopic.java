package io.lastfix.rules.topic;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** The topic {@code lastfix.rules}, as {@link RulePublisher} uses it. */
public interface RuleTopic {
  /**
   * What was read.
   *
   * @param end one past the range's last offset
   * @param skipped which messages are none of a rule or fence, and why
   */
  record Reading(long end, List<String> skipped) {}

  /**
   * Reads from that offset to the end that the topic has now.
   *
   * @param messages receives each message, in the order of the offsets. They are not collected: a
   *     topic may have many versions of a large fence
   */
  Reading read(long from, Consumer<StoredMessage> messages) throws IOException;

  /** Writes a message, and returns once Kafka has acknowledged it. */
  void write(RuleMessage message) throws IOException;
}
