/** The server that delivers alerts. */
@NullMarked
package io.lastfix.it.notify;

import org.jspecify.annotations.NullMarked;
