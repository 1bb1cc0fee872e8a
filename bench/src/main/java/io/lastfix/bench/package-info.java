/**
 * {@code lastfix bench}: what a MongoDB can take, how close the job comes to it, and where the time
 * goes.
 *
 * <p>{@link io.lastfix.bench.BenchCommand} runs the parts in turn, each a {@link
 * io.lastfix.bench.BenchPart}; what they find goes into a {@link io.lastfix.bench.Report}. All of
 * it is in a database and in topics of the benchmark's own.
 */
@NullMarked
package io.lastfix.bench;

import org.jspecify.annotations.NullMarked;
