package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import java.io.Serializable;

/**
 * How much one message may ask of a decoder. All are at least 1.
 *
 * @param maxMessageBytes of the message as it came in; default 1 MiB, Kafka's own default
 * @param maxDecompressedBytes of a gzip message once inflated; default 16 MiB. Inflating stops
 *     there.
 * @param maxRecordsPerMessage default 10,000; the records past it are counted and rejected together
 * @param maxNestingDepth of elements, or of objects and arrays; default 64
 * @param maxTextLength in characters (UTF-16 units), of a field that the profile names; default
 *     256. Other text is skipped, however long.
 * @param maxRejectionsPerMessage default 100; the bad records past it are rejected together, once
 *     for each reason. Each rejection carries the whole message to {@code lastfix.rejected}, so the
 *     same happens once the single ones of a message would carry more than {@link
 *     #REJECTED_MESSAGES} times maxMessageBytes. On top of these come those rejected together, at
 *     most one for each {@link RejectionReason}, and one where the message cannot be read on.
 */
public record DecoderLimits(
    int maxMessageBytes,
    int maxDecompressedBytes,
    int maxRecordsPerMessage,
    int maxNestingDepth,
    int maxTextLength,
    int maxRejectionsPerMessage)
    implements Serializable {
  /** How many messages of the greatest length the single rejections of one message may carry. */
  static final int REJECTED_MESSAGES = 4;

  public DecoderLimits {
    requirePositive("maxMessageBytes", maxMessageBytes);
    requirePositive("maxDecompressedBytes", maxDecompressedBytes);
    requirePositive("maxRecordsPerMessage", maxRecordsPerMessage);
    requirePositive("maxNestingDepth", maxNestingDepth);
    requirePositive("maxTextLength", maxTextLength);
    requirePositive("maxRejectionsPerMessage", maxRejectionsPerMessage);
  }

  /** The defaults named above. */
  public static DecoderLimits defaults() {
    return new DecoderLimits(1 << 20, 16 << 20, 10_000, 64, 256, 100);
  }

  /** Why a message of so many bytes, more than {@link #maxMessageBytes}, is rejected. */
  String tooLarge(int foundBytes) {
    return "expected at most " + maxMessageBytes + " bytes, found " + foundBytes;
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": expected at least 1, found " + value);
    }
  }
}
