package io.lastfix.parse;

import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * What goes to {@code lastfix.rejected}: a message, untouched, and why it, or a record in it,
 * cannot be used. A message with several bad records is several of these.
 *
 * <p>More bytes than {@link #MAX_BYTES} are left out: on their way to the topic they are copied
 * some five times, and a job that ran out of memory would meet the same message again after each
 * restart. They can still be read where they came from, by topic, partition and offset.
 *
 * @param message the message as it came in, with the arrival that it was judged by
 * @param rejection why; stands for {@link Rejection#records()} records
 * @param stage the step that rejected it, such as {@code parse}
 */
@TypeInfo(RejectedMessageSerializer.InfoFactory.class)
public record RejectedMessage(RawMessage message, Rejection rejection, String stage)
    implements Serializable {
  /** What key and value may have together to be carried: 64 MiB. */
  public static final int MAX_BYTES = 64 << 20;

  public RejectedMessage {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(rejection, "rejection");
    Objects.requireNonNull(stage, "stage");
    if (message.bytes() > MAX_BYTES) {
      message = message.keeping(false, false);
    }
  }
}
