package io.lastfix.store.erasure;

import io.lastfix.store.counts.NumberCollections;
import java.time.Duration;

/**
 * Results of one kind that name users.
 *
 * @param collections of the results
 * @param reach how long after an instant a result can begin that tells of the time before it: a
 *     trip names the place of a stay that ended with its begin
 */
public record UserResults(NumberCollections collections, Duration reach) {}
