/** The sink decorator that stores nothing of erased users, and the watcher of the erasure list. */
@NullMarked
package io.lastfix.privacy;

import org.jspecify.annotations.NullMarked;
