/** Counts, density, flows, stays, trips and SQL. */
@NullMarked
package io.lastfix.it.analytics;

import org.jspecify.annotations.NullMarked;
