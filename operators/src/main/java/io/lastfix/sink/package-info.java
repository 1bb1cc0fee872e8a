/**
 * The two sinks into MongoDB: History and Last Known Location.
 *
 * <p>Reading order: {@link io.lastfix.sink.HistorySink} and {@link
 * io.lastfix.sink.LastKnownLocationSink} combine the parts. {@code BulkSinkWriter} buffers and
 * sends. The converters map a record to a MongoDB write. {@code MongoBulkServer} sends to MongoDB
 * and reads its errors.
 */
@NullMarked
package io.lastfix.sink;

import org.jspecify.annotations.NullMarked;
