package io.lastfix.jobs.kafka.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.messages.LargeBytesInterceptor;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.junit.jupiter.api.Test;

/** The consumer that searches the catalogue's end; CatalogEndsIT tests the result. */
class CatalogEndsTest {
  @Test
  void theJobManagersHeapLetsGoOfWhatTheCataloguesSourceWouldNotTake() throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(
            null,
            List.of("kafka.properties.interceptor.classes=com.example.Own"),
            variable -> null);

    assertThat(new CatalogEnds(config.kafka()).properties())
        .containsEntry(
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            "com.example.Own," + LargeBytesInterceptor.class.getName())
        .containsKey(LargeBytesInterceptor.MAX_VALUE_BYTES);
  }
}
