package io.lastfix.jobs.config;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;

/**
 * How the job reads messages.
 *
 * @param decoderLimits limits of a message
 * @param timestampLimits limits of a record's timestamp
 * @param fast true: {@link io.lastfix.parse.fast} reads plain messages; false: the XML and JSON
 *     libraries read all messages
 */
public record ParseOptions(
    DecoderLimits decoderLimits, TimestampLimits timestampLimits, boolean fast) {}
