/** Fences: areas with an id, and which of them contain a position. */
@NullMarked
package io.lastfix.rules.fence;

import org.jspecify.annotations.NullMarked;
