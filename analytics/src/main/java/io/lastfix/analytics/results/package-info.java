/** What stands between results and their sinks. */
@NullMarked
package io.lastfix.analytics.results;

import org.jspecify.annotations.NullMarked;
