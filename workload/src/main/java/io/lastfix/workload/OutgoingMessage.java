package io.lastfix.workload;

import io.lastfix.model.LocationRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka message to send, with its expected outcome. Callers must not change the arrays.
 *
 * <p>In a run, records sent = History + duplicates + rejected. Records sent are {@code
 * records().size() + rejected()} over all messages, and duplicates are {@code records().size()}
 * over those that are {@link #resent()}.
 *
 * @param key the user, in UTF-8, if all records are of one user; else null
 * @param records the good records in the message, as a parser returns them; empty if the content is
 *     unknown
 * @param rejected the number of its records that a parser must reject
 * @param resent whether the same message was sent before
 */
@SuppressWarnings("ArrayRecordComponent") // Shared; messages are not compared.
public record OutgoingMessage(
    MessageFormat format,
    byte @Nullable [] key,
    byte[] value,
    List<LocationRecord> records,
    int rejected,
    boolean resent) {
  /**
   * A message of good records.
   *
   * @param key the user, in UTF-8, if all records are of one user; else null
   */
  public static OutgoingMessage of(
      MessageFormat format, byte @Nullable [] key, byte[] value, List<LocationRecord> records) {
    return new OutgoingMessage(format, key, value, List.copyOf(records), 0, false);
  }

  /** A message with one record to reject, and the given good ones. */
  static OutgoingMessage broken(
      MessageFormat format, byte @Nullable [] key, byte[] value, List<LocationRecord> goodRecords) {
    return new OutgoingMessage(format, key, value, List.copyOf(goodRecords), 1, false);
  }

  /** A message from a file, whose content is unknown. */
  static OutgoingMessage opaque(MessageFormat format, byte[] value) {
    return new OutgoingMessage(format, null, value, List.of(), 0, false);
  }

  /** Returns this message, to be sent again. */
  OutgoingMessage again() {
    return new OutgoingMessage(format, key, value, records, rejected, true);
  }

  /** Returns this message with another form of the value, for instance compressed. */
  public OutgoingMessage withValue(byte[] otherValue) {
    return new OutgoingMessage(format, key, otherValue, records, rejected, resent);
  }

  /** Records in the message, good and bad; 0 if the content is unknown. */
  public int recordCount() {
    return records.size() + rejected;
  }
}
