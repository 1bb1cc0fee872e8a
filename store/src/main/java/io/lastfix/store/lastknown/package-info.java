/** The layout of Last Known Location: documents, options, and which of two records is newer. */
@NullMarked
package io.lastfix.store.lastknown;

import org.jspecify.annotations.NullMarked;
