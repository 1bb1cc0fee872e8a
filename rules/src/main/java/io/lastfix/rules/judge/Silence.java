package io.lastfix.rules.judge;

/**
 * A silence that lasts. All instants are in epoch milliseconds.
 *
 * @param atMillis the last sign before it
 * @param sinceMillis when it began
 * @param arrivedMillis the watermark when the judge took it in, or {@code sinceMillis}, if that is
 *     later: what comes late has its whole time from then on
 */
public record Silence(long atMillis, long sinceMillis, long arrivedMillis) {}
