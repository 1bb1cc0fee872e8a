package io.lastfix.parse;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.jspecify.annotations.Nullable;

/** One Kafka message as it came in. Its bytes are shared, not copied: nobody may change them. */
@TypeInfo(RawMessageSerializer.InfoFactory.class)
public final class RawMessage implements Serializable {
  private final String topic;
  private final int partition;
  private final long offset;
  private final byte @Nullable [] key;
  private final byte @Nullable [] value;

  /**
   * A message and where it stood.
   *
   * @param key null where the producer gave none
   * @param value null where the message is a tombstone
   */
  public RawMessage(
      String topic, int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
    this.topic = Objects.requireNonNull(topic, "topic");
    this.partition = partition;
    this.offset = offset;
    this.key = key;
    this.value = value;
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

  /** Null where the producer gave none. */
  public byte @Nullable [] key() {
    return key;
  }

  /** How many bytes key and value have together. */
  public long bytes() {
    return (key == null ? 0L : key.length) + (value == null ? 0 : value.length);
  }

  /** Where it stood, without key and value. */
  RawMessage withoutBytes() {
    return new RawMessage(topic, partition, offset, null, null);
  }

  /** Null where the message is a tombstone. */
  public byte @Nullable [] value() {
    return value;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof RawMessage other
        && topic.equals(other.topic)
        && partition == other.partition
        && offset == other.offset
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
