package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.PlaceKind;

/**
 * Devices came to a place, or left it. Changes add up: a correction is one more change.
 *
 * @param by what {@code place} is
 * @param place the place
 * @param atMillis when, in epoch milliseconds
 * @param devices how many more devices are there from then on; negative if they left; not 0
 */
public record PlaceChange(PlaceKind by, String place, long atMillis, int devices) {}
