/**
 * Measures decoders, serializers and conditions of rules with JMH: each decoder against a bare loop
 * of its parsing library over the same bytes, and a condition against the same one in Java. {@code
 * lastfix bench} starts {@link io.lastfix.microbenchmarks.Main} in a separate process.
 */
@NullMarked
package io.lastfix.microbenchmarks;

import org.jspecify.annotations.NullMarked;
