/** The server of the page: starts, serves, stops. */
@NullMarked
package io.lastfix.console;

import org.jspecify.annotations.NullMarked;
