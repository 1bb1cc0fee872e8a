package io.lastfix.notify.undelivered;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of the topic of alerts that is given up without having been read, or without its value.
 *
 * @param partition of the message
 * @param offset of the message
 * @param value of the message; null: it has none, or one that is too large
 * @param reason without the user
 * @param at when it was given up
 */
// Never compared.
@SuppressWarnings("ArrayRecordComponent")
public record UndeliveredMessage(
    int partition, long offset, byte @Nullable [] value, String reason, Instant at) {
  UndeliveredMessage tooLarge() {
    return new UndeliveredMessage(partition, offset, null, reason + "; it is too large", at);
  }
}
