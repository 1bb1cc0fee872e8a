package io.lastfix.presence;

/**
 * A time without any message in a partition, so that no gateway reached it. Both ends are append
 * times of messages.
 *
 * @param partition of {@code lastfix.heartbeats}
 * @param fromMillis of the last message before it
 * @param toMillis of the first message after it
 */
public record Outage(int partition, long fromMillis, long toMillis) {}
