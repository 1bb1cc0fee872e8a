/** {@code lastfix size}: what a fleet of devices needs. */
@NullMarked
package io.lastfix.cli.size;

import org.jspecify.annotations.NullMarked;
