/**
 * The layout of History: ids, periods, partitions, shard keys, retention, the view, and the
 * conversion between documents and values.
 */
@NullMarked
package io.lastfix.store.history;

import org.jspecify.annotations.NullMarked;
