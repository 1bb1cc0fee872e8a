/**
 * Measures decoders and serializers with JMH: each decoder against a bare loop of its parsing
 * library over the same bytes. {@code lastfix bench} starts {@link io.lastfix.microbenchmarks.Main}
 * in a separate process.
 */
@NullMarked
package io.lastfix.microbenchmarks;

import org.jspecify.annotations.NullMarked;
