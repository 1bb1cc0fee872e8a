/**
 * Decodes bytes into records: the first step of the location job.
 *
 * <p>A {@link io.lastfix.parse.profile.Profile} defines where the fields of a record are in a
 * message. A {@link io.lastfix.parse.RecordDecoder} of a profile decodes the bytes of one message
 * into records and rejections, without Flink. {@link io.lastfix.parse.ParseFunction} runs decoders
 * in a Flink job.
 */
@NullMarked
package io.lastfix.parse;

import org.jspecify.annotations.NullMarked;
