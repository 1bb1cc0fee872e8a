/** The location job cut off after one of its stages, with a sink that measures its input. */
@NullMarked
package io.lastfix.bench.stage;

import org.jspecify.annotations.NullMarked;
