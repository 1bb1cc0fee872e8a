/** How late the counts of the analytics job are. */
@NullMarked
package io.lastfix.bench.counts;

import org.jspecify.annotations.NullMarked;
