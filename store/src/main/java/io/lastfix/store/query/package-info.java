/**
 * Queries of both collections. {@link io.lastfix.store.query.LastKnownLocationQueries} finds where
 * a device was last seen and which devices are near a place. {@link
 * io.lastfix.store.query.HistoryQueries} finds where a device was over time and which devices were
 * in a cell. It is a library; the {@code lastfix} command is one of its clients.
 */
@NullMarked
package io.lastfix.store.query;

import org.jspecify.annotations.NullMarked;
