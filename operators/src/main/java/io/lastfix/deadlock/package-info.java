/** Ends a TaskManager whose tasks are deadlocked, so that its slots return. */
@NullMarked
package io.lastfix.deadlock;

import org.jspecify.annotations.NullMarked;
