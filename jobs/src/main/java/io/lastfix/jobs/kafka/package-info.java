/** The jobs' connection to Kafka: sources, sinks, and the offsets to begin at. */
@NullMarked
package io.lastfix.jobs.kafka;

import org.jspecify.annotations.NullMarked;
