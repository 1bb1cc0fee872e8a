/**
 * Recomputes Last Known Location from History: a bounded source of all records of History, in
 * splits of {@code flink-connector-mongodb}, and the functions between it and the sink.
 */
@NullMarked
package io.lastfix.rebuild;

import org.jspecify.annotations.NullMarked;
