/**
 * Recomputing Last Known Location from History: a bounded source of all that History holds, in
 * splits of {@code flink-connector-mongodb}, and what is done with it before the sink.
 */
@NullMarked
package io.lastfix.rebuild;

import org.jspecify.annotations.NullMarked;
