/** Kafka's clients: topics as they are wanted and as they are, lags, ranges, followed topics. */
@NullMarked
package io.lastfix.kit.kafka;

import org.jspecify.annotations.NullMarked;
