/** How numbers are computed again from History, by a command, or by itself. */
@NullMarked
package io.lastfix.cli.analysis;

import org.jspecify.annotations.NullMarked;
