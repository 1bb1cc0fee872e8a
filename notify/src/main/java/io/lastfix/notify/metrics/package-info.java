/** The server's metrics. */
@NullMarked
package io.lastfix.notify.metrics;

import org.jspecify.annotations.NullMarked;
