/**
 * Needed up to Flink 1.20.5, the newest 1.20; ends with the first Flink that closes FLINK-36746:
 * its {@code SerializedThrowable} then serializes an exception under one lock, and visits each
 * once.
 *
 * <p>Ends a TaskManager whose tasks are deadlocked, so that its slots return.
 */
@NullMarked
package io.lastfix.deadlock;

import org.jspecify.annotations.NullMarked;
