package io.lastfix.store.timeline;

/**
 * A trip to store, or to delete.
 *
 * @param user who travelled
 * @param trip the trip; replaces an earlier one of the same identity
 * @param isDeleted true if a late record has refuted it: there is no trip of this identity any more
 */
public record TripChange(String user, Trip trip, boolean isDeleted) {}
