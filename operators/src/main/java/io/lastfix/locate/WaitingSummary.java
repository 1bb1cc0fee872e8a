package io.lastfix.locate;

/**
 * State of former releases for each key with waiting records. The operator reads it only to remove
 * it, and the timer it names, from the restored state.
 *
 * @param count number of waiting records
 * @param timerMillis time of the key's timer
 */
record WaitingSummary(int count, long timerMillis) {}
