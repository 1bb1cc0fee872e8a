/**
 * The layout of History: ids, periods, partitions, shard keys, retention, the view, and documents
 * to values and back.
 */
@NullMarked
package io.lastfix.store.history;

import org.jspecify.annotations.NullMarked;
