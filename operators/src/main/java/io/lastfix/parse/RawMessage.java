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

  private final String topic;
  private final int partition;
  private final long offset;
  private final byte @Nullable [] key;
  private final int keyLength;
  private final byte @Nullable [] value;
  private final int valueLength;

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
    this.topic = Objects.requireNonNull(topic, "topic");
    this.partition = partition;
    this.offset = offset;
    this.key = key;
    this.keyLength = keyLength;
    this.value = value;
    this.valueLength = valueLength;
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
        valueLength);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof RawMessage other
        && topic.equals(other.topic)
        && partition == other.partition
        && offset == other.offset
        && keyLength == other.keyLength
        && valueLength == other.valueLength
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
