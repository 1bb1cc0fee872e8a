/**
 * Queries of both collections: {@link io.lastfix.store.query.LastKnownLocationQueries} finds where
 * a device was last seen and which devices are near a place, {@link
 * io.lastfix.store.query.HistoryQueries} where a device was over time and which devices were in a
 * cell. A library: the {@code lastfix} command is one client of it.
 */
@NullMarked
package io.lastfix.store.query;

import org.jspecify.annotations.NullMarked;
