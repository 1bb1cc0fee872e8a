/** The layout of the collection of devices. */
@NullMarked
package io.lastfix.store.presence;

import org.jspecify.annotations.NullMarked;
