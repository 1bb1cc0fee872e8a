package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.query.TimeRange;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

class HistorySplitReaderTest {
  /** The client connects in the background; no server exists here. */
  @Test
  void itReadsWhatAMajorityHasAndTheReadingDecidesWhichServerAnswers() {
    MongoScanSourceSplit split =
        HistorySplits.of(
                "lastfix",
                List.of(HistoryPartition.parse("history", "history_2026_11_20").orElseThrow()),
                TimeRange.ALL,
                List.of())
            .get(0);
    try (MongoClient client =
        MongoClientFactory.create(
            MongoOptions.defaults(
                "mongodb://127.0.0.1:1/?readPreference=nearest&readConcernLevel=local", "lastfix"),
            1)) {
      MongoCollection<RawBsonDocument> collection =
          HistorySplitReader.collection(client, split, HistoryReading.LOCATED);

      assertThat(collection.getReadPreference()).isEqualTo(ReadPreference.primary());
      assertThat(
              HistorySplitReader.collection(client, split, HistoryReading.UNLOCATED)
                  .getReadPreference())
          .isEqualTo(ReadPreference.primary());
      assertThat(
              HistorySplitReader.collection(client, split, HistoryReading.ALL).getReadPreference())
          .isEqualTo(ReadPreference.secondaryPreferred(90, TimeUnit.SECONDS));
      assertThat(collection.getReadConcern()).isEqualTo(ReadConcern.MAJORITY);
      assertThat(collection.getNamespace().getFullName()).isEqualTo("lastfix.history_2026_11_20");
    }
  }
}
