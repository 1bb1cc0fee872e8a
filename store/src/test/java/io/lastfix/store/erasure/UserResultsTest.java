package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Duration;
import java.time.Instant;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class UserResultsTest {
  private static final Instant UNTIL = Instant.parse("2026-11-20T12:00:00Z");

  private static BsonDocument upTo(UserResults results) {
    return results.upTo(UNTIL).toBsonDocument();
  }

  @Test
  void theBeginDecides_AndTheReach() {
    NumberCollections trips = NumberCollections.ofUsers("trips", PartitionPeriod.MONTH);

    assertThat(upTo(new UserResults(trips, Duration.ofMinutes(30))))
        .isEqualTo(BsonDocument.parse("{'_id.begin': {$lte: {$date: '2026-11-20T12:30:00Z'}}}"));
  }

  /** The operator's clock may be ahead. */
  @Test
  void anAlertAboutAChangedFenceGoesWhateverItsTimeIs() {
    assertThat(upTo(UserResults.ofAlerts(NumberCollections.ofAlerts(PartitionPeriod.MONTH))))
        .isEqualTo(
            BsonDocument.parse(
                """
                {$or: [
                  {'_id.at': {$lte: {$date: '2026-11-20T12:00:00Z'}}},
                  {cause: 'fence-changed'}]}
                """));
  }
}
