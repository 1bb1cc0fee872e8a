package io.lastfix.audit;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;

/**
 * The limits past which the job rejects a message or a record.
 *
 * @param decoder of sizes and counts
 * @param timestamp of the records' times
 */
public record JudgingLimits(DecoderLimits decoder, TimestampLimits timestamp) {}
