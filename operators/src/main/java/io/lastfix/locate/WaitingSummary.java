package io.lastfix.locate;

/**
 * What has to be known of a key's waiting records without reading them.
 *
 * @param count how many wait
 * @param timerMillis what the key's only timer is set for: the earliest of their deadlines, or,
 *     after a restore, later
 */
record WaitingSummary(int count, long timerMillis) {}
