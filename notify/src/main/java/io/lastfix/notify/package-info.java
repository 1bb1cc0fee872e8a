/** The server that delivers alerts: configuration, start and stop, and its HTTP routes. */
@NullMarked
package io.lastfix.notify;

import org.jspecify.annotations.NullMarked;
