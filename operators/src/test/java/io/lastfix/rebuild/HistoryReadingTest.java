package io.lastfix.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.util.List;
import org.apache.flink.util.InstantiationUtil;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HistoryReadingTest {
  static List<HistoryReading<?>> readings() {
    return List.of(HistoryReading.LOCATED, HistoryReading.ALL, HistoryReading.UNLOCATED);
  }

  @ParameterizedTest
  @MethodSource("readings")
  void aReadingTravelsWithTheJob(HistoryReading<?> reading) throws Exception {
    HistoryReading<?> received = InstantiationUtil.clone(reading);

    assertThat(received.filter()).isEqualTo(reading.filter());
    assertThat(received.fields()).isEqualTo(reading.fields());
    assertThat(received.readPreference()).isEqualTo(reading.readPreference());
    assertThat(received.type()).isEqualTo(reading.type());
  }

  @Test
  void aReceivedReadingMakesADocumentARecord() throws Exception {
    LocatedRecord record =
        new LocatedRecord("user", new CellId(234, 10, 1, 2), 7, new Position(1.5, 2.5));
    BsonDocument document =
        ((InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record)).getDocument();

    assertThat(
            InstantiationUtil.clone(HistoryReading.LOCATED)
                .reader()
                .apply(new RawBsonDocument(document, new BsonDocumentCodec())))
        .isEqualTo(record);
  }
}
