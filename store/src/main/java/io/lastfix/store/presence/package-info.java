/** The layout of the collection of devices: documents, and queries of who is there. */
@NullMarked
package io.lastfix.store.presence;

import org.jspecify.annotations.NullMarked;
