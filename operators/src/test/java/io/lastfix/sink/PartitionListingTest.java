package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClients;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listing where there is no server; {@code PoisonPeriodsIT} has one. */
class PartitionListingTest {
  @Test
  @Timeout(30)
  void withoutAnyListTheTaskFailsAfterTheLimitAndSaysWhy() {
    PartitionListing listing =
        new PartitionListing(
            () -> MongoClients.create("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=10"),
            "lastfix",
            HistoryOptions.defaults(),
            Duration.ofSeconds(5),
            "partitions");

    assertThatThrownBy(() -> listing.notOlderThan(Duration.ofSeconds(2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The partitions of History could not be listed within 5 s: MongoTimeoutException, code"
                + " -3");
    listing.close();
  }
}
