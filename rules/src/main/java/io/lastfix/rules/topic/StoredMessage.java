package io.lastfix.rules.topic;

/**
 * A message of {@code lastfix.rules}, and its place in the topic's only partition.
 *
 * @param offset 0 or more
 */
public record StoredMessage(long offset, RuleMessage message) {}
