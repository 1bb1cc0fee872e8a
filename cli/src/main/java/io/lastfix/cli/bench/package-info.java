/** {@code lastfix bench}. */
@NullMarked
package io.lastfix.cli.bench;

import org.jspecify.annotations.NullMarked;
