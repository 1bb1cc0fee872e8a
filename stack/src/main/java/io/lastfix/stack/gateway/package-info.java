/** A client of a running gateway. */
@NullMarked
package io.lastfix.stack.gateway;

import org.jspecify.annotations.NullMarked;
