package io.lastfix.workload;

import io.lastfix.model.LocationRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka message to send, with what ought to become of it. Callers must not change the arrays.
 *
 * <p>What a run sends adds up as records sent = History + duplicates + rejected, where records sent
 * are {@code records().size() + rejected()} over all messages and duplicates are {@code
 * records().size()} over those that are {@link #resent()}.
 */
public final class OutgoingMessage {
  private final MessageFormat format;
  private final byte @Nullable [] key;
  private final byte[] value;
  private final List<LocationRecord> records;
  private final int rejected;
  private final boolean resent;

  private OutgoingMessage(
      MessageFormat format,
      byte @Nullable [] key,
      byte[] value,
      List<LocationRecord> records,
      int rejected,
      boolean resent) {
    this.format = format;
    this.key = key;
    this.value = value;
    this.records = records;
    this.rejected = rejected;
    this.resent = resent;
  }

  /**
   * A message of good records.
   *
   * @param key the user, in UTF-8, where all of them are about one; else null
   */
  public static OutgoingMessage of(
      MessageFormat format, byte @Nullable [] key, byte[] value, List<LocationRecord> records) {
    return new OutgoingMessage(format, key, value, List.copyOf(records), 0, false);
  }

  /** A message of which a parser rejects that many records and takes the given ones. */
  static OutgoingMessage broken(
      MessageFormat format,
      byte @Nullable [] key,
      byte[] value,
      List<LocationRecord> goodRecords,
      int rejected) {
    return new OutgoingMessage(format, key, value, List.copyOf(goodRecords), rejected, false);
  }

  /** A message from a file, of which nothing is known. */
  static OutgoingMessage opaque(MessageFormat format, byte[] value) {
    return new OutgoingMessage(format, null, value, List.of(), 0, false);
  }

  /** The same message, sent once more. */
  OutgoingMessage again() {
    return new OutgoingMessage(format, key, value, records, rejected, true);
  }

  /** The same message with another form of the value, for instance compressed. */
  public OutgoingMessage withValue(byte[] otherValue) {
    return new OutgoingMessage(format, key, otherValue, records, rejected, resent);
  }

  public MessageFormat format() {
    return format;
  }

  /** The user, in UTF-8, where all the message is about one user; else null. */
  public byte @Nullable [] key() {
    return key;
  }

  public byte[] value() {
    return value;
  }

  /** The good records in the message, as a parser yields them; empty where nothing is known. */
  public List<LocationRecord> records() {
    return records;
  }

  /** How many records of it a parser has to reject. */
  public int rejected() {
    return rejected;
  }

  /** Whether the same message went out before. */
  public boolean resent() {
    return resent;
  }

  /** Records in the message, good and bad; 0 where nothing is known. */
  public int recordCount() {
    return records.size() + rejected;
  }
}
