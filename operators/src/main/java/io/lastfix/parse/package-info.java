/**
 * Turns bytes into records: the first step of the location job.
 *
 * <p>A {@link io.lastfix.parse.profile.Profile} says how a record is found in a message. A {@link
 * io.lastfix.parse.RecordDecoder} made from it turns the bytes of one message into records and
 * rejections; it does not use Flink. {@link io.lastfix.parse.ParseFunction} runs decoders in a
 * Flink job.
 */
@NullMarked
package io.lastfix.parse;

import org.jspecify.annotations.NullMarked;
