/** Queries of the analytics' numbers: counts, density, flows, stays and trips, and what is late. */
@NullMarked
package io.lastfix.store.query.numbers;

import org.jspecify.annotations.NullMarked;
