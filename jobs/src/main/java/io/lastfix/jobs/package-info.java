/**
 * One class per Flink job: {@code main} reads the options, {@code defineWorkflow} connects the
 * operators.
 */
@NullMarked
package io.lastfix.jobs;

import org.jspecify.annotations.NullMarked;
