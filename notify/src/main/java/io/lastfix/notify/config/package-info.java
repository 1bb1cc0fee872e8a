/** The parts of the server's configuration. */
@NullMarked
package io.lastfix.notify.config;

import org.jspecify.annotations.NullMarked;
