package io.lastfix.console.health;

import java.util.Map;

/**
 * How far consumers are behind.
 *
 * @param groups by consumer group and topic, in messages
 */
public record GroupLag(Map<String, Map<String, Long>> groups) {}
