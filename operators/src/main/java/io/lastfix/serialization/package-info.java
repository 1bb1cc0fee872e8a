/**
 * Compact binary forms of what crosses the network between tasks and sits in keyed state, without
 * Kryo.
 *
 * <p>Every savepoint names the {@code Snapshot} class of the serializers it was written with, so
 * these classes keep their names. To change a layout: raise the serializer's {@code VERSION}, let
 * its {@code read} branch on the version it is given, and keep the fixtures of the older ones.
 *
 * <p><b>Limit:</b> a serializer that was restored for an older version reads that version but
 * writes the newest, and its snapshot says so. That is right only for state that is registered
 * again after a restore, because Flink then rewrites it before the next checkpoint. State that no
 * operator registers would, on RocksDB, stay in the old version and be called the newest. So an
 * operator registers all of its states in {@code open()}, as {@code LocateOperator} does, and goes
 * on registering one it no longer uses while savepoints with an older version of it may be
 * restored.
 */
@NullMarked
package io.lastfix.serialization;

import org.jspecify.annotations.NullMarked;
