package io.lastfix.parse;

import java.io.Serializable;

/**
 * An entry of {@code lastfix.rejected}: an unchanged message, and why it or a record in it is
 * rejected. A message with several invalid records has several entries.
 *
 * <p>Key and value are omitted if they exceed {@link #MAX_BYTES}. On the way to the topic they are
 * copied about five times, and a job that ran out of memory would read the same message again after
 * each restart. They remain in the source topic, at the message's partition and offset.
 *
 * @param message the original message, with the time of arrival used in its check
 * @param rejection the reason, for {@link Rejection#records()} records
 * @param stage the step that rejected it, such as {@code parse}
 */
public record RejectedMessage(RawMessage message, Rejection rejection, String stage)
    implements Serializable {
  /** Maximum length of key and value together, in bytes: 64 MiB. */
  public static final int MAX_BYTES = 64 << 20;

  public RejectedMessage {
    if (message.bytes() > MAX_BYTES) {
      message = message.keeping(false, false);
    }
  }
}
