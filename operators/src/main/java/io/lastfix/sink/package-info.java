/**
 * The two sinks into MongoDB: History and Last Known Location.
 *
 * <p>Read it in this order: {@link io.lastfix.sink.HistorySink} and {@link
 * io.lastfix.sink.LastKnownLocationSink} put the parts together, {@code BulkSinkWriter} buffers and
 * sends, the converters make one MongoDB write of one record, {@code MongoBulkServer} talks to
 * MongoDB and reads its errors.
 */
@NullMarked
package io.lastfix.sink;

import org.jspecify.annotations.NullMarked;
