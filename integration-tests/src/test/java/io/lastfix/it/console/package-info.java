/** The console, in a browser. */
@NullMarked
package io.lastfix.it.console;

import org.jspecify.annotations.NullMarked;
