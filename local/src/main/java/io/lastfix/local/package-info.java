/**
 * Real servers on one machine: finds or fetches MongoDB, Kafka and Flink, and starts, monitors and
 * stops them.
 */
@NullMarked
package io.lastfix.local;

import org.jspecify.annotations.NullMarked;
