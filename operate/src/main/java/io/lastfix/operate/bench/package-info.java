/** The options of a benchmark, and its results. */
@NullMarked
package io.lastfix.operate.bench;

import org.jspecify.annotations.NullMarked;
