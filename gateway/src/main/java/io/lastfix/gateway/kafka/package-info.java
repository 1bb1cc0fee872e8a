/** Producers, what may be in flight, and what the topics accept. */
@NullMarked
package io.lastfix.gateway.kafka;

import org.jspecify.annotations.NullMarked;
