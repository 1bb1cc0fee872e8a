/** Asking Kafka how far a job has read, and what a topic holds. */
@NullMarked
package io.lastfix.cli.kafka;

import org.jspecify.annotations.NullMarked;
