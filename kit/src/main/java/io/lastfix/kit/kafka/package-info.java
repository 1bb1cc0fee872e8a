/** Kafka's admin client: topics as they are wanted and as they are, lags, and ranges of topics. */
@NullMarked
package io.lastfix.kit.kafka;

import org.jspecify.annotations.NullMarked;
