package io.lastfix.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.messages.RejectedRecordSerializer;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.Rejection;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaConnectorsTest {
  private static final int MESSAGE_BYTES = 1 << 20;

  private static Properties rejectedProducer(String... settings) throws Exception {
    return connectors(settings).rejectedProducer(MESSAGE_BYTES);
  }

  private static KafkaConnectors connectors(String... settings) {
    LocationJobConfig config = LocationJobConfig.load(null, List.of(settings), variable -> null);
    return new KafkaConnectors(config);
  }

  @ParameterizedTest
  @CsvSource({
    "10 min, 600000, 600000",
    // Not below Kafka's default.
    "90 s, 120000, 90000",
    "1 s, 120000, 60000",
    // Not above the producer's maximum.
    "60 d, 2147483647, 2147483647"
  })
  void theProducersWaitAsLongAsTheSinksTryAgain(
      String retryTimeout, String deliveryTimeout, String maxBlock) throws Exception {
    KafkaConnectors kafka = connectors("sink.retry.timeout=" + retryTimeout);

    assertThat(List.of(kafka.rejectedProducer(MESSAGE_BYTES), kafka.locatedProducer()))
        .allSatisfy(
            producer ->
                assertThat(producer)
                    .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryTimeout)
                    .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlock)
                    .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "false"));
  }

  /** They are many and small, so they are sent together, unless the user says otherwise. */
  @Test
  void locatedRecordsAreSentInCompressedBatches() {
    assertThat(connectors().locatedProducer())
        .containsEntry(ProducerConfig.LINGER_MS_CONFIG, "50")
        .containsEntry(ProducerConfig.BATCH_SIZE_CONFIG, "65536")
        .containsEntry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    assertThat(
            connectors(
                    "kafka.properties.linger.ms=5",
                    "kafka.properties.batch.size=1024",
                    "kafka.properties.compression.type=zstd")
                .locatedProducer())
        .containsEntry(ProducerConfig.LINGER_MS_CONFIG, "5")
        .containsEntry(ProducerConfig.BATCH_SIZE_CONFIG, "1024")
        .containsEntry(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
  }

  /** A rejection in an outage must find the topic's metadata, however long ago the last one was. */
  @Test
  void theRejectedTopicsMetadataIsKeptThroughDaysWithoutARejection() throws Exception {
    long idle =
        Long.parseLong(rejectedProducer().getProperty(ProducerConfig.METADATA_MAX_IDLE_CONFIG));

    assertThat(Duration.ofMillis(idle)).isGreaterThan(Duration.ofDays(7));
    // Kafka adds it to the time of day.
    assertThat(System.currentTimeMillis() + idle).isPositive();
  }

  @Test
  void theUsersOwnPropertiesOfAProducerStand() throws Exception {
    assertThat(rejectedProducer("kafka.properties.max.block.ms=5000"))
        .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000");
  }

  /** Until a source finds a new partition of the catalogue, records meet overtaken entries. */
  @ParameterizedTest
  @CsvSource({
    "any=any, 10000",
    "partition.discovery.interval.ms=1000, 1000",
  })
  void theSourcesFindNewPartitionsWithinSecondsUnlessTheUserSaysOtherwise(
      String property, String interval) throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("kafka.properties." + property), variable -> null);

    assertThat(
            KafkaConnectors.sourceProperties(config.kafka())
                .getProperty("partition.discovery.interval.ms"))
        .isEqualTo(interval);
  }

  @ParameterizedTest
  @CsvSource({
    // For the topic that Lastfix creates: one message of the largest size.
    "67174400, 67174400",
    "1048588, 4194304",
  })
  void aSlotsRejectedMessagesTakeTheMemoryOfOneOfTheLargest(int maxMessageBytes, long buffer)
      throws Exception {
    LocationJobConfig config = LocationJobConfig.load(null, List.of(), variable -> null);
    Properties producer = new KafkaConnectors(config).rejectedProducer(maxMessageBytes);

    assertThat(Long.parseLong(producer.getProperty(ProducerConfig.BUFFER_MEMORY_CONFIG)))
        .isEqualTo(buffer);
  }

  /** By the producer's own estimate, above which it rejects a message. */
  @Test
  void theLargestMessageWithItsHeadersFitsIntoThatMemory() throws Exception {
    byte[] value = new byte[RejectedMessage.MAX_BYTES];
    ProducerRecord<byte[], byte[]> largest =
        new RejectedRecordSerializer(
                "rejected", RejectedMessage.MAX_BYTES, () -> RejectedMessage.MAX_BYTES)
            .serialize(
                new RejectedMessage(
                    new RawMessage("t".repeat(249), 9_999, Long.MAX_VALUE, null, value),
                    new Rejection(
                        RejectionReason.OLDER_THAN_RETENTION, "d".repeat(60_000), 1_000_000),
                    "parse"),
                null,
                null);

    assertThat(
            AbstractRecords.estimateSizeInBytesUpperBound(
                RecordBatch.CURRENT_MAGIC_VALUE,
                CompressionType.NONE,
                largest.key(),
                largest.value(),
                largest.headers().toArray()))
        .isLessThanOrEqualTo(KafkaTopics.REJECTED_MESSAGE_BYTES);
  }
}
