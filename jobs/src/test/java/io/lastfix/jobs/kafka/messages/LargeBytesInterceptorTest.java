package io.lastfix.jobs.kafka.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LargeBytesInterceptorTest {
  private static final byte[] SMALL = {1, 2};
  private static final byte[] MOST = new byte[RejectedMessage.MAX_BYTES];
  private static final byte[] LARGE = new byte[RejectedMessage.MAX_BYTES + 1];

  @Test
  void aPollWithoutLargeMessagesPassesAsItIs() {
    ConsumerRecords<byte[], byte[]> records =
        records(record(0, 1, SMALL, SMALL), record(0, 2, null, null), record(1, 1, MOST, MOST));

    assertThat(interceptor(1).onConsume(records)).isSameAs(records);
  }

  @Test
  void whatIsTooLargeIsLeftOutAndItsLengthIsKept() throws Exception {
    ConsumerRecords<byte[], byte[]> records =
        interceptor(1)
            .onConsume(
                records(
                    record(0, 1, SMALL, LARGE),
                    record(0, 2, LARGE, SMALL),
                    record(0, 3, LARGE, LARGE),
                    record(0, 4, null, LARGE),
                    record(1, 9, SMALL, SMALL)));

    assertThat(messages(records))
        .containsExactly(
            message(0, 1, SMALL, LARGE).keeping(true, false),
            message(0, 2, LARGE, SMALL).keeping(false, true),
            message(0, 3, LARGE, LARGE).keeping(false, false),
            message(0, 4, null, LARGE).keeping(false, false),
            message(1, 9, SMALL, SMALL));
  }

  @Test
  void whatElseIsKnownOfAMessageStays() {
    ConsumerRecord<byte[], byte[]> before = record(0, 1, SMALL, LARGE);
    before.headers().add("h", SMALL);

    ConsumerRecord<byte[], byte[]> after =
        interceptor(1).onConsume(records(before)).iterator().next();

    assertThat(after).usingRecursiveComparison().ignoringFields("value").isEqualTo(before);
    assertThat(after.value()).isNull();
  }

  @Test
  void aValueThatTheReaderTakesStaysHoweverLargeItIs() {
    ConsumerRecords<byte[], byte[]> records = records(record(0, 1, SMALL, LARGE));

    assertThat(interceptor(LARGE.length).onConsume(records)).isSameAs(records);
  }

  @Test
  void itComesAfterTheUsersOwnInterceptors() {
    String own = LargeBytesInterceptor.class.getName();

    assertThat(LargeBytesInterceptor.properties(Map.of(), 1))
        .containsEntry(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, own);
    assertThat(
            LargeBytesInterceptor.properties(
                Map.of(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, "org.example.Theirs"), 1))
        .containsEntry(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, "org.example.Theirs," + own);
  }

  private static LargeBytesInterceptor interceptor(int readerTakes) {
    LargeBytesInterceptor interceptor = new LargeBytesInterceptor();
    Properties properties = LargeBytesInterceptor.properties(Map.of(), readerTakes);
    Map<String, Object> configs = new LinkedHashMap<>();
    properties.forEach((key, value) -> configs.put(key.toString(), value));
    interceptor.configure(configs);
    return interceptor;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
    return new ConsumerRecord<>(
        "t",
        partition,
        offset,
        17,
        TimestampType.CREATE_TIME,
        key == null ? ConsumerRecord.NULL_SIZE : key.length,
        value == null ? ConsumerRecord.NULL_SIZE : value.length,
        key,
        value,
        new RecordHeaders(),
        Optional.of(3));
  }

  @SafeVarargs
  private static ConsumerRecords<byte[], byte[]> records(
      ConsumerRecord<byte[], byte[]>... records) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> byPartition = new LinkedHashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      byPartition
          .computeIfAbsent(
              new TopicPartition(record.topic(), record.partition()), any -> new ArrayList<>())
          .add(record);
    }
    return new ConsumerRecords<>(byPartition);
  }

  private static RawMessage message(
      int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {
    return new RawMessage("t", partition, offset, key, value);
  }

  private static List<RawMessage> messages(ConsumerRecords<byte[], byte[]> records) {
    List<RawMessage> messages = new ArrayList<>();
    ListCollector<RawMessage> out = new ListCollector<>(messages);
    records.forEach(record -> new RawMessageDeserializer().deserialize(record, out));
    return messages;
  }
}
