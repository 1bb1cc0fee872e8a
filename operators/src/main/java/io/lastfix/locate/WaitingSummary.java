package io.lastfix.locate;

/**
 * What former releases kept for each key with waiting records. It is read only to take it, and the
 * timer it names, out of the state that they left.
 *
 * @param count how many wait
 * @param timerMillis what the key's timer is set for
 */
record WaitingSummary(int count, long timerMillis) {}
