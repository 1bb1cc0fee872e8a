package io.lastfix.jobs.config;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;

/**
 * How the job reads messages.
 *
 * @param decoderLimits what a message may hold
 * @param timestampLimits what a record's time may be
 * @param fast whether {@link io.lastfix.parse.fast} may read plain messages; if not, the XML and
 *     JSON libraries read all of them
 */
public record ParseOptions(
    DecoderLimits decoderLimits, TimestampLimits timestampLimits, boolean fast) {}
