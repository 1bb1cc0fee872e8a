/**
 * Test load: generates location records, encodes them as XML and JSON, replays files, and sends
 * messages to Kafka at a given rate.
 */
@NullMarked
package io.lastfix.workload;

import org.jspecify.annotations.NullMarked;
