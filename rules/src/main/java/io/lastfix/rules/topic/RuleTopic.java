package io.lastfix.rules.topic;

import java.io.IOException;
import java.util.List;

/** The topic {@code lastfix.rules}, as {@link RulePublisher} uses it. */
public interface RuleTopic {
  /**
   * The messages of a range.
   *
   * @param messages in the order of the offsets
   * @param end one past the range's last offset
   * @param unreadable which messages could not be read, and why
   */
  record Reading(List<StoredMessage> messages, long end, List<String> unreadable) {}

  /** Reads from that offset to the end that the topic has now. */
  Reading read(long from) throws IOException;

  /** Writes a message, and returns once Kafka has acknowledged it. */
  void write(RuleMessage message) throws IOException;
}
