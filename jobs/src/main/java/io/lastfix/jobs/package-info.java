/**
 * One class per Flink job: {@code main} reads the options, {@code defineWorkflow} connects the
 * operators. {@code StoreCheck} and {@link io.lastfix.jobs.StoreProvisioning} see to it that
 * MongoDB holds what they need.
 */
@NullMarked
package io.lastfix.jobs;

import org.jspecify.annotations.NullMarked;
