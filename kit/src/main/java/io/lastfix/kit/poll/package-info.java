/** Waiting for a condition at a fixed pace, within a limit. */
@NullMarked
package io.lastfix.kit.poll;

import org.jspecify.annotations.NullMarked;
