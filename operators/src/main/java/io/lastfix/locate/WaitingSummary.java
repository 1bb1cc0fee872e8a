package io.lastfix.locate;

/**
 * What has to be known of a key's waiting records without reading them.
 *
 * @param count how many wait
 * @param timerMillis the earliest of their deadlines, for which the key's only timer is set
 */
record WaitingSummary(int count, long timerMillis) {}
