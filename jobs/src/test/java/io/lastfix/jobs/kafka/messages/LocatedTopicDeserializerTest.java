package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.located.CellRange;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.serialization.RecordTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes out of the topic of located records, whoever wrote to it. */
class LocatedTopicDeserializerTest {
  private static final LocatedRecord RECORD =
      new LocatedRecord("u", CellId.parse("1-2-3-4"), 1_767_225_600_000L, null);
  private static final byte[] KEY = {'u'};

  private final Counter unreadable = new SimpleCounter();
  private final List<LocatedRecord> records = new ArrayList<>();
  private long nanos = Long.MAX_VALUE;
  private final LocatedTopicDeserializer deserializer = new LocatedTopicDeserializer(() -> nanos);

  @BeforeEach
  void open() {
    deserializer.register(new Counting());
  }

  @Test
  void aRecordIsReadAsItWasWritten() {
    read(LocatedRecordCodec.key(RECORD), LocatedRecordCodec.write(RECORD));

    assertThat(records).containsExactly(RECORD);
    assertThat(unreadable.getCount()).isZero();
    assertThat(deserializer.getProducedType()).isEqualTo(RecordTypes.LOCATED_RECORD);
  }

  @Test
  void theRangeOfTheCellIsReadFromItsHeader_AndAnUnreadableOneIsUnknown() {
    LocatedRecord atCell =
        new LocatedRecord("u", CellId.parse("1-2-3-4"), 0, new Position(-122.5, 37.75));
    for (byte[] header : new byte[][] {CellRange.write(1_000), {1}, {}}) {
      ConsumerRecord<byte[], byte[]> message = message(KEY, LocatedRecordCodec.write(atCell));
      message.headers().add("range", header);
      deserializer.deserialize(message, new ListCollector<>(records));
    }

    assertThat(records).extracting(LocatedRecord::cellRangeMeters).containsExactly(1_000, 0, 0);
    assertThat(unreadable.getCount()).isZero();
  }

  @Test
  void anyOtherMessageIsSkippedAndCounted() {
    read(KEY, "{}".getBytes(UTF_8));
    read(null, LocatedRecordCodec.write(RECORD));
    read(KEY, null);
    read(KEY, LocatedRecordCodec.write(RECORD));

    assertThat(records).containsExactly(RECORD);
    assertThat(unreadable.getCount()).isEqualTo(3);
  }

  /** A topic full of other messages must not fill the disk with lines. */
  @Test
  void theLogNamesASkippedMessageOnceAMinute() {
    assertThat(skip()).as("the first").isTrue();
    assertThat(skip()).as("at once").isFalse();
    nanos += Duration.ofMinutes(1).toNanos() - 1;
    assertThat(skip()).as("almost a minute later").isFalse();
    nanos++;
    assertThat(skip()).as("a minute later").isTrue();
    assertThat(skip()).as("at once after that").isFalse();
    assertThat(unreadable.getCount()).isEqualTo(5);
  }

  /** Flink sends it to the TaskManagers. */
  @Test
  void itIsSerializable() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new LocatedTopicDeserializer());
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      LocatedTopicDeserializer copy = (LocatedTopicDeserializer) in.readObject();
      copy.register(new Counting());
      assertThat(copy.skip(message(KEY, null), "any")).isTrue();
    }
  }

  private boolean skip() {
    return deserializer.skip(message(KEY, null), "any");
  }

  private void read(byte @Nullable [] key, byte @Nullable [] value) {
    deserializer.deserialize(message(key, value), new ListCollector<>(records));
  }

  private static ConsumerRecord<byte[], byte[]> message(
      byte @Nullable [] key, byte @Nullable [] value) {
    return new ConsumerRecord<>("lastfix.located", 3, 17, key, value);
  }

  private final class Counting extends UnregisteredMetricsGroup {
    @Override
    public Counter counter(String name) {
      assertThat(name).isEqualTo("locatedUnreadable");
      return unreadable;
    }
  }
}
