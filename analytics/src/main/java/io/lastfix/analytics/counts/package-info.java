/** Counts of records in windows of ten seconds. */
@NullMarked
package io.lastfix.analytics.counts;

import org.jspecify.annotations.NullMarked;
