/** What several of our sources add to the splits of Flink's Kafka connector. */
@NullMarked
package io.lastfix.jobs.kafka.splits;

import org.jspecify.annotations.NullMarked;
