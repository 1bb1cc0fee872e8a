/** What is asked of a benchmark, and what it answers. */
@NullMarked
package io.lastfix.operate.bench;

import org.jspecify.annotations.NullMarked;
