/** {@code lastfix top}: the live view in a terminal. */
@NullMarked
package io.lastfix.cli.top;

import org.jspecify.annotations.NullMarked;
