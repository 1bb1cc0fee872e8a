package io.lastfix.store.query;

import io.lastfix.model.Sighting;

/**
 * A device near a place.
 *
 * @param sighting where it was last seen
 * @param distanceMeters distance from the place in metres, along the surface of a sphere with
 *     MongoDB's radius of the earth
 */
public record Neighbour(Sighting sighting, double distanceMeters) {}
