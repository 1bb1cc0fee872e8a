package io.lastfix.parse;

import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * What goes to {@code lastfix.rejected}: a message, untouched, and why it, or a record in it,
 * cannot be used. A message with several bad records is several of these.
 *
 * @param message the message as it came in
 * @param rejection why; stands for {@link Rejection#records()} records
 * @param stage the step that rejected it, such as {@code parse}
 */
@TypeInfo(RejectedMessageSerializer.InfoFactory.class)
public record RejectedMessage(RawMessage message, Rejection rejection, String stage)
    implements Serializable {
  public RejectedMessage {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(rejection, "rejection");
    Objects.requireNonNull(stage, "stage");
  }
}
