/** Removes repetitions: what follows counts what History holds, not what Kafka delivers. */
@NullMarked
package io.lastfix.analytics.distinct;

import org.jspecify.annotations.NullMarked;
