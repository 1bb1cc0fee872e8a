package io.lastfix.jobs.kafka;

import io.lastfix.parse.RawMessage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Takes a Kafka record as it is: its place and its bytes, or, where {@link LargeBytesInterceptor}
 * left them out, how many they were. Reading them is the parser's work, where it can be counted.
 */
public final class RawMessageDeserializer implements KafkaRecordDeserializationSchema<RawMessage> {
  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> consumed, Collector<RawMessage> out) {
    out.collect(
        new RawMessage(
            consumed.topic(),
            consumed.partition(),
            consumed.offset(),
            consumed.key(),
            consumed.serializedKeySize(),
            consumed.value(),
            consumed.serializedValueSize()));
  }

  @Override
  public TypeInformation<RawMessage> getProducedType() {
    return TypeInformation.of(RawMessage.class);
  }
}
