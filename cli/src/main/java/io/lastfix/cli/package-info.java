/** The {@code lastfix} command: its entry point and the commands that manage the local stack. */
@NullMarked
package io.lastfix.cli;

import org.jspecify.annotations.NullMarked;
