package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import java.io.Serializable;

/**
 * Limits of one message. All are at least 1, which the configuration checks.
 *
 * @param maxMessageBytes original length of the message in bytes; default 1 MiB, Kafka's own
 *     default
 * @param maxDecompressedBytes decompressed length of a gzip message; default 16 MiB. Decompression
 *     stops there.
 * @param maxRecordsPerMessage default 10,000; the decoder counts the records after it and rejects
 *     them together
 * @param maxNestingDepth nesting of elements, or of objects and arrays; default 64
 * @param maxTextLength length of a field of the profile in characters (UTF-16 units); default 256.
 *     Other text is skipped, whatever its length.
 * @param maxRejectionsPerMessage default 100; the decoder rejects the invalid records after it
 *     together, once per reason. Each rejection carries the whole message to {@code
 *     lastfix.rejected}. Therefore the same happens if the single rejections of a message would
 *     carry more than {@link #REJECTED_MESSAGES} times maxMessageBytes. A message has, in addition,
 *     at most one joint rejection per {@link RejectionReason}, and one if its rest cannot be read.
 */
public record DecoderLimits(
    int maxMessageBytes,
    int maxDecompressedBytes,
    int maxRecordsPerMessage,
    int maxNestingDepth,
    int maxTextLength,
    int maxRejectionsPerMessage)
    implements Serializable {
  /** Number of messages of maximum length that the single rejections of one message may carry. */
  static final int REJECTED_MESSAGES = 4;

  /** Returns the detail of the rejection of a message with more than {@link #maxMessageBytes}. */
  String tooLarge(int foundBytes) {
    return "expected at most " + maxMessageBytes + " bytes, found " + foundBytes;
  }
}
