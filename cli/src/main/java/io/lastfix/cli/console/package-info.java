/** The command of the console. */
@NullMarked
package io.lastfix.cli.console;

import org.jspecify.annotations.NullMarked;
