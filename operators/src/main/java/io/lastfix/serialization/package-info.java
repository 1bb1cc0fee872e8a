/**
 * Compact binary formats of the values that cross the network between tasks or are in keyed state,
 * without Kryo.
 *
 * <p>Every savepoint contains the names of the {@code Snapshot} classes of its serializers, so
 * these classes keep their names. To change a layout, increase the serializer's {@code VERSION},
 * let its {@code read} branch on the version, and keep the fixtures of the older versions.
 *
 * <p><b>Limit:</b> a serializer restored for an older version reads that version but writes the
 * newest, and its snapshot names the newest. That is correct only for state that is registered
 * again after a restore, because Flink then rewrites it before the next checkpoint. On RocksDB,
 * state that no operator registers would stay in the old version under the newest version's number.
 * Every operator therefore registers all of its states in {@code open()}, as {@code LocateOperator}
 * does. It continues to register an unused state as long as savepoints with an older version of it
 * may be restored.
 */
@NullMarked
package io.lastfix.serialization;

import org.jspecify.annotations.NullMarked;
