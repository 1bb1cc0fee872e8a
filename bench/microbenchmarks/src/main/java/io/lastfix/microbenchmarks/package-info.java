/**
 * Measures decoders and serializers with JMH, each decoder against a bare loop of the library it
 * stands on over the same bytes. {@code lastfix bench} starts {@link
 * io.lastfix.microbenchmarks.Main} as a process of its own.
 */
@NullMarked
package io.lastfix.microbenchmarks;

import org.jspecify.annotations.NullMarked;
