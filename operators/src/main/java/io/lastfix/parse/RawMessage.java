package io.lastfix.parse;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka message as it came in. Its bytes are shared, not copied: nobody may change them.
 *
 * <p>Where it was too large to be carried at all, its key, its value or both are left out, and only
 * their lengths are known.
 */
@TypeInfo(RawMessageSerializer.InfoFactory.class)
public final class RawMessage implements Serializable {
  /** The length of what a message does not have. */
  static final int ABSENT = -1;

  /** Stands for a time that is not known. */
  public static final long UNKNOWN_TIME = -1;

  private final String topic;
  private final int partition;
  private final long offset;
  private final byte @Nullable [] key;
  private final int keyLength;
  private final byte @Nullable [] value;
  private final int valueLength;
  private final long appendTimeMillis;
  private final long firstSeenMillis;

  /**
   * A whole message and where it stood.
   *
   * @param key null where the producer gave none
   * @param value null where the message is a tombstone
   */
  public RawMessage(
      String topic, int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
    this(topic, partition, offset, key, length(key), value, length(value));
  }

  /**
   * A message of which key, value or both may have been left out.
   *
   * @param keyLength in bytes, as it came in; -1 where the producer gave none
   * @param valueLength in bytes, as it came in; -1 where the message is a tombstone
   */
  public RawMessage(
      String topic,
      int partition,
      long offset,
      byte @Nullable [] key,
      int keyLength,
      byte @Nullable [] value,
      int valueLength) {
    this(topic, partition, offset, key, keyLength, value, valueLength, UNKNOWN_TIME, UNKNOWN_TIME);
  }

  /**
   * The same with what is known of when it came.
   *
   * @param appendTimeMillis when the broker appended it; {@link #UNKNOWN_TIME} unless the topic
   *     keeps that ({@code message.timestamp.type=LogAppendTime})
   * @param firstSeenMillis the arrival that the message was judged by first; {@link #UNKNOWN_TIME}
   *     unless it has been rejected, or repeats one that was
   */
  public RawMessage(
      String topic,
      int partition,
      long offset,
      byte @Nullable [] key,
      int keyLength,
      byte @Nullable [] value,
      int valueLength,
      long appendTimeMillis,
      long firstSeenMillis) {
    this.topic = Objects.requireNonNull(topic, "topic");
    this.partition = partition;
    this.offset = offset;
    this.key = key;
    this.keyLength = keyLength;
    this.value = value;
    this.valueLength = valueLength;
    this.appendTimeMillis = appendTimeMillis;
    this.firstSeenMillis = firstSeenMillis;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? ABSENT : bytes.length;
  }

  public String topic() {
    return topic;
  }

  public int partition() {
    return partition;
  }

  public long offset() {
    return offset;
  }

  /** Null where the producer gave none, or where it was left out. */
  public byte @Nullable [] key() {
    return key;
  }

  /** Of the key as it came in, in bytes; -1 where the producer gave none. */
  int keyLength() {
    return keyLength;
  }

  /** Null where the message is a tombstone, or where it was left out. */
  public byte @Nullable [] value() {
    return value;
  }

  /** Of the value as it came in, in bytes; -1 where the message is a tombstone. */
  public int valueLength() {
    return valueLength;
  }

  /** When the broker appended it; {@link #UNKNOWN_TIME} unless the topic keeps that. */
  long appendTimeMillis() {
    return appendTimeMillis;
  }

  /** The arrival that it was judged by first; {@link #UNKNOWN_TIME} if it has not been judged. */
  public long firstSeenMillis() {
    return firstSeenMillis;
  }

  /** The same message, judged by that arrival. */
  public RawMessage judgedBy(long arrivalMillis) {
    return new RawMessage(
        topic,
        partition,
        offset,
        key,
        keyLength,
        value,
        valueLength,
        appendTimeMillis,
        arrivalMillis);
  }

  /**
   * When the message came, for judging what is too far ahead: as the broker says, so that the same
   * message is judged alike whenever it is read, or else the given time. A replayed message came
   * when the rejected one did. A producer that forges that can only make it earlier, never later.
   *
   * @param nowMillis the clock, for a message whose topic does not keep the time of appending
   */
  public long arrivalMillis(long nowMillis) {
    long arrival = appendTimeMillis == UNKNOWN_TIME ? nowMillis : appendTimeMillis;
    return firstSeenMillis == UNKNOWN_TIME ? arrival : Math.min(arrival, firstSeenMillis);
  }

  /** Whether there was a value and it is not here. */
  public boolean isValueLeftOut() {
    return value == null && valueLength != ABSENT;
  }

  /** How many bytes key and value had together as they came in. */
  public long bytes() {
    return Math.max(0L, keyLength) + Math.max(0, valueLength);
  }

  /** How many of them are not here. */
  public long omittedBytes() {
    return bytes() - (key == null ? 0 : key.length) - (value == null ? 0 : value.length);
  }

  /** The same message; its key stays if {@code withKey}, its value if {@code withValue}. */
  public RawMessage keeping(boolean withKey, boolean withValue) {
    return new RawMessage(
        topic,
        partition,
        offset,
        withKey ? key : null,
        keyLength,
        withValue ? value : null,
        valueLength,
        appendTimeMillis,
        firstSeenMillis);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof RawMessage other
        && topic.equals(other.topic)
        && partition == other.partition
        && offset == other.offset
        && keyLength == other.keyLength
        && valueLength == other.valueLength
        && appendTimeMillis == other.appendTimeMillis
        && firstSeenMillis == other.firstSeenMillis
        && Arrays.equals(key, other.key)
        && Arrays.equals(value, other.value);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * topic.hashCode() + partition) + Long.hashCode(offset);
  }

  /** Where it stood; nothing of what it says. */
  @Override
  public String toString() {
    return "topic " + topic + ", partition " + partition + ", offset " + offset;
  }
}
