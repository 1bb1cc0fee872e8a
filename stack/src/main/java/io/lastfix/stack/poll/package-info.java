/** Waiting for a condition at a fixed pace, within a limit. */
@NullMarked
package io.lastfix.stack.poll;

import org.jspecify.annotations.NullMarked;
