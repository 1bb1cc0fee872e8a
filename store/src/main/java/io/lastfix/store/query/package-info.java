/**
 * Reading what the jobs stored: {@link io.lastfix.query.LastKnownLocationQueries} says where a
 * device was last seen and who is near a place, {@link io.lastfix.query.HistoryQueries} where it
 * was over time and who was in a cell. A library: the {@code lastfix} command is one user of it.
 */
@NullMarked
package io.lastfix.query;

import org.jspecify.annotations.NullMarked;
