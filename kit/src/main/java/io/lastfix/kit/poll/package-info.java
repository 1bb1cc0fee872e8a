/** Waiting for a condition at a fixed pace within a limit, and pauses between attempts. */
@NullMarked
package io.lastfix.kit.poll;

import org.jspecify.annotations.NullMarked;
