package io.lastfix.store.lastknown;

import static io.lastfix.store.history.TestRecords.RECORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.TestRecords;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;

class LastKnownLocationConverterTest {

  @Test
  void aRecordBecomesAnUpsertByIdAlone() {
    UpdateOneModel<BsonDocument> write = write(RECORD);

    assertThat(write.getFilter().toBsonDocument())
        .isEqualTo(BsonDocument.parse("{_id: '350000000007919'}"));
    assertThat(write.getOptions().isUpsert()).isTrue();
  }

  @Test
  void theUpdateRaisesLastAsAWhole() {
    assertThat(update(RECORD))
        .isEqualTo(
            BsonDocument.parse(
                """
                {"$max": {"last": {
                  "ts": {"$date": "2026-11-20T12:00:01.001Z"},
                  "cell": "234-10-4021-20911362",
                  "loc": {"lon": -0.1276, "lat": 51.5072},
                  "src": "cell",
                  "acc": null
                }, "fix": null}}
                """));
  }

  @Test
  void aPositionOfTheDevicesOwnRaisesBothLastAndFix() {
    BsonDocument max = update(TestRecords.withFix()).getDocument("$max");

    assertThat(max.get("fix")).isEqualTo(max.get("last"));
    assertThat(max.getDocument("fix").toJson())
        .isEqualTo(
            BsonDocument.parse(
                    """
                    {"ts": {"$date": "2026-11-20T12:00:01.001Z"}, "cell": null,
                     "loc": {"lon": -0.12, "lat": 51.515}, "src": "gnss", "acc": 8.5}
                    """)
                .toJson());
  }

  /** The server compares the fields in this order, so that the newest record wins. */
  @Test
  void theFieldsOfLastStandInTheContractsOrder() {
    BsonDocument last = update(RECORD).getDocument("$max").getDocument("last");

    assertThat(last.keySet()).containsExactly("ts", "cell", "loc", "src", "acc");
    assertThat(last.getDocument("loc").keySet()).containsExactly("lon", "lat");
  }

  @Test
  void aRecordWithoutAPositionIsRefused() {
    assertThatThrownBy(() -> write(TestRecords.unlocated()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Last Known Location takes located records only: filter by isLocated()");
  }

  private static BsonDocument update(LocatedRecord record) {
    Bson update = Objects.requireNonNull(write(record).getUpdate());
    return update.toBsonDocument();
  }

  private static UpdateOneModel<BsonDocument> write(LocatedRecord record) {
    return (UpdateOneModel<BsonDocument>) new LastKnownLocationConverter().apply(record);
  }
}
