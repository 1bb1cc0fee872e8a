/** The layout of the collections of counts: documents, and queries of how many there were. */
@NullMarked
package io.lastfix.store.counts;

import org.jspecify.annotations.NullMarked;
