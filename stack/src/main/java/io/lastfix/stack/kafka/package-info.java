/** Kafka clients that read lags, topics and ranges of topics. */
@NullMarked
package io.lastfix.stack.kafka;

import org.jspecify.annotations.NullMarked;
