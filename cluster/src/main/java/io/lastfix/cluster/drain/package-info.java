/** The wait until a location job has stored everything that Kafka holds. */
@NullMarked
package io.lastfix.cluster.drain;

import org.jspecify.annotations.NullMarked;
