/** What a measurement finds: rates, CPU, checkpoints, goals, and the tables of a report. */
@NullMarked
package io.lastfix.bench.measure;

import org.jspecify.annotations.NullMarked;
