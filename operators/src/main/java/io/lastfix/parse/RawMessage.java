package io.lastfix.parse;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * An unchanged Kafka message. Its bytes are shared, not copied, and must not be modified.
 *
 * <p>If it was too large to be carried, its key, its value or both are omitted, and only their
 * lengths are known.
 *
 * @param key null if the producer set none, or if it is omitted
 * @param keyLength original length in bytes; -1 if the producer set no key
 * @param value null if the message is a tombstone, or if it is omitted
 * @param valueLength original length in bytes; -1 if the message is a tombstone
 * @param appendTimeMillis time at which the broker appended it; {@link #UNKNOWN_TIME} unless the
 *     topic stores it ({@code message.timestamp.type=LogAppendTime})
 * @param firstSeenMillis time of arrival used in the first check of the message; {@link
 *     #UNKNOWN_TIME} unless the message was rejected, or replays a rejected one
 * @param headers those that name its sender; none, if it came through no gateway
 */
@TypeInfo(RawMessageSerializer.InfoFactory.class)
@SuppressWarnings("ArrayRecordComponent") // Shared, and compared by equals.
public record RawMessage(
    String topic,
    int partition,
    long offset,
    byte @Nullable [] key,
    int keyLength,
    byte @Nullable [] value,
    int valueLength,
    long appendTimeMillis,
    long firstSeenMillis,
    MessageHeaders headers)
    implements Serializable {
  /** The length of an absent key or value. */
  static final int ABSENT = -1;

  /** Marks an unknown time. */
  public static final long UNKNOWN_TIME = -1;

  /**
   * Creates a whole message with its position.
   *
   * @param key null if the producer set none
   * @param value null if the message is a tombstone
   */
  public RawMessage(
      String topic, int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
    this(
        topic,
        partition,
        offset,
        key,
        length(key),
        value,
        length(value),
        UNKNOWN_TIME,
        UNKNOWN_TIME,
        HeaderList.NONE);
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? ABSENT : bytes.length;
  }

  /** Returns a copy that was checked with that time of arrival. */
  public RawMessage judgedBy(long arrivalMillis) {
    return copy(key, value, arrivalMillis, headers);
  }

  /**
   * Returns the time of arrival, with which the parser detects timestamps too far ahead. If the
   * topic stores the broker's time, that is used, so that each read of a message has the same
   * result. A replayed message has the arrival of the rejected one. A producer that forges this
   * time can make it only earlier, never later.
   *
   * @param nowMillis the clock, used if the topic does not store the broker's time
   */
  public long arrivalMillis(long nowMillis) {
    long arrival = appendTimeMillis == UNKNOWN_TIME ? nowMillis : appendTimeMillis;
    return firstSeenMillis == UNKNOWN_TIME ? arrival : Math.min(arrival, firstSeenMillis);
  }

  /** Returns true if the message had a value that is omitted here. */
  public boolean isValueLeftOut() {
    return value == null && valueLength != ABSENT;
  }

  /** Returns the original length of key and value together, in bytes. */
  public long bytes() {
    return Math.max(0L, keyLength) + Math.max(0, valueLength);
  }

  /** Returns how many of these bytes are omitted. */
  public long omittedBytes() {
    return bytes() - (key == null ? 0 : key.length) - (value == null ? 0 : value.length);
  }

  /** Returns a copy that keeps the key if {@code withKey}, and the value if {@code withValue}. */
  public RawMessage keeping(boolean withKey, boolean withValue) {
    return copy(withKey ? key : null, withValue ? value : null, firstSeenMillis, headers);
  }

  /** Returns a copy with these headers. */
  public RawMessage with(MessageHeaders others) {
    return copy(key, value, firstSeenMillis, others);
  }

  private RawMessage copy(
      byte @Nullable [] copiedKey,
      byte @Nullable [] copiedValue,
      long copiedFirstSeenMillis,
      MessageHeaders copiedHeaders) {
    return new RawMessage(
        topic,
        partition,
        offset,
        copiedKey,
        keyLength,
        copiedValue,
        valueLength,
        appendTimeMillis,
        copiedFirstSeenMillis,
        copiedHeaders);
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
        && Arrays.equals(value, other.value)
        && HeaderList.of(headers).equals(HeaderList.of(other.headers));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * topic.hashCode() + partition) + Long.hashCode(offset);
  }

  /** Returns its position, without its content. */
  @Override
  public String toString() {
    return "topic " + topic + ", partition " + partition + ", offset " + offset;
  }
}
