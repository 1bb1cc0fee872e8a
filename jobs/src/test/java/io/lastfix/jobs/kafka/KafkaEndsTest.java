package io.lastfix.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaEndsTest {
  private static final int MESSAGE_BYTES = 1 << 20;

  private static Properties rejectedProducer(String... settings) throws Exception {
    LocationJobConfig config = LocationJobConfig.load(null, List.of(settings), variable -> null);
    return new KafkaEnds(config, CatalogGroup.ofNewStart("any")).rejectedProducer(MESSAGE_BYTES);
  }

  @ParameterizedTest
  @CsvSource({
    "10 min, 600000, 600000",
    // Not below what is Kafka's own.
    "90 s, 120000, 90000",
    "1 s, 120000, 60000",
    // Not above what the producer takes.
    "60 d, 2147483647, 2147483647"
  })
  void theRejectedTopicsProducerWaitsAsLongAsTheSinksTryAgain(
      String retryTimeout, String deliveryTimeout, String maxBlock) throws Exception {
    assertThat(rejectedProducer("sink.retry.timeout=" + retryTimeout))
        .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryTimeout)
        .containsEntry(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlock);
  }

  /** So that a rejection in an outage finds the topic known, however long ago the last one was. */
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
}
