package io.lastfix.store.timeline;

/**
 * A stay to store, or to delete.
 *
 * @param user who stayed
 * @param stay the stay; replaces an earlier one of the same identity
 * @param isDeleted true if a late record has refuted it: there is no stay of this identity any more
 */
public record StayChange(String user, Stay stay, boolean isDeleted) {}
