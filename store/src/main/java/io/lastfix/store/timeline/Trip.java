package io.lastfix.store.timeline;

/**
 * What lies between two successive stays, without absence. Its identity is user, {@code by} and
 * {@code beginMillis}; it belongs to the UTC day of its begin.
 *
 * @param by what the places are
 * @param from the place of the first stay
 * @param to the place of the second stay; may be the same
 * @param beginMillis when the first stay was left
 * @param endMillis when the second stay began; equals {@code beginMillis} if nothing lies between
 * @param via the number of visits between
 */
public record Trip(
    PlaceKind by, String from, String to, long beginMillis, long endMillis, int via) {}
