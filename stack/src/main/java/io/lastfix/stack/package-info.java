/**
 * The local stack: MongoDB, Kafka and Flink as separate processes on loopback. A library without a
 * command line, so that integration tests start their servers by the same code as {@code lastfix
 * up}.
 */
@NullMarked
package io.lastfix.cli.stack;

import org.jspecify.annotations.NullMarked;
