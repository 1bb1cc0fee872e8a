/**
 * Density, flows, stays and trips: numbers about where people are, and how they move. {@code
 * docs/ask/definitions.md} defines each of them.
 *
 * <p>The algorithm is {@link io.lastfix.analytics.timeline.Timeline}, without Flink. {@link
 * io.lastfix.analytics.timeline.TimelineFunction} runs it per person, {@link
 * io.lastfix.analytics.timeline.DensityFunction} and {@link
 * io.lastfix.analytics.timeline.FlowFunction} add up its results over persons.
 */
@NullMarked
package io.lastfix.analytics.timeline;

import org.jspecify.annotations.NullMarked;
