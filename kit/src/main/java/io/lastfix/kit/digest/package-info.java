/** Digests of bytes. */
@NullMarked
package io.lastfix.kit.digest;

import org.jspecify.annotations.NullMarked;
