/** The layout of Last Known Location: documents, options, and the order of a user's records. */
@NullMarked
package io.lastfix.store.lastknown;

import org.jspecify.annotations.NullMarked;
