/** What the gateway counts. */
@NullMarked
package io.lastfix.gateway.metrics;

import org.jspecify.annotations.NullMarked;
