/** Clients of Kafka that read lags, topics and stretches of topics. */
@NullMarked
package io.lastfix.stack.kafka;

import org.jspecify.annotations.NullMarked;
