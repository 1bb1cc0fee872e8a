/** The digest that ids and the erasure list are made of. */
@NullMarked
package io.lastfix.store.digest;

import org.jspecify.annotations.NullMarked;
