package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.PlaceKind;

/**
 * Devices moved from one place to another. Changes add up: a correction is one more change.
 *
 * @param by what the places are
 * @param from the place they left
 * @param to the place they came to
 * @param hourMillis the start of the hour, in epoch milliseconds
 * @param moves how many more moves
 * @param devices how many more devices made one or more moves
 */
public record FlowChange(
    PlaceKind by, String from, String to, long hourMillis, int moves, int devices) {}
