/**
 * Bytes to records: the first step of the location job.
 *
 * <p>A {@link io.lastfix.parse.Profile} says how a record is found in a message. A {@link
 * io.lastfix.parse.RecordDecoder} made from it turns the bytes of one message into records and
 * rejections; it is plain Java and knows nothing of Flink. {@link io.lastfix.parse.ParseFunction}
 * runs decoders in a Flink job.
 */
@NullMarked
package io.lastfix.parse;

import org.jspecify.annotations.NullMarked;
