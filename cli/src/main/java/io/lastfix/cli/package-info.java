/** The {@code lastfix} command: its entry point. */
@NullMarked
package io.lastfix.cli;

import org.jspecify.annotations.NullMarked;
