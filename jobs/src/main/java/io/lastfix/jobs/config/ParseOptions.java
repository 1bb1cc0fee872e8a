package io.lastfix.jobs.config;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;

/**
 * How the job reads messages.
 *
 * @param decoderLimits what a message may hold
 * @param timestampLimits what a record's time may be
 */
public record ParseOptions(DecoderLimits decoderLimits, TimestampLimits timestampLimits) {}
