/**
 * What extends the internals of Flink's Kafka connector, and what it is made of; README.md says
 * what would end each.
 */
@NullMarked
package io.lastfix.jobs.kafka.connector;

import org.jspecify.annotations.NullMarked;
