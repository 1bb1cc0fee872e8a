/** Pictures of numbers, in the terminal and as PNG. */
@NullMarked
package io.lastfix.cli.plot;

import org.jspecify.annotations.NullMarked;
