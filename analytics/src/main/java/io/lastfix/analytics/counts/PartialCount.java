package io.lastfix.analytics.counts;

/**
 * Some of the records of a group in a window.
 *
 * @param key what is counted by, and the group: a {@link CountKey}
 * @param windowMillis the window's first instant, in milliseconds since 1970
 * @param n records, 1 or more
 */
public record PartialCount(String key, long windowMillis, long n) {}
