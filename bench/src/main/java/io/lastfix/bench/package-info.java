/**
 * Measures the rate of a MongoDB, how close the job comes to it, and where the job's time goes;
 * {@code lastfix bench} runs it.
 *
 * <p>A run consists of parts in turn, each a {@link io.lastfix.bench.BenchPart}. Their results go
 * into a {@link io.lastfix.bench.measure.Report}. The benchmark uses a database and topics of its
 * own.
 */
@NullMarked
package io.lastfix.bench;

import org.jspecify.annotations.NullMarked;
