package io.lastfix.sink;

import static io.lastfix.store.history.TestRecords.POSITION;
import static io.lastfix.store.history.TestRecords.TIMESTAMP_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.PositionSource;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.TestHistory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

class HistoryBatchingTest {
  @Property(tries = 500)
  void noDocumentIsLargerThanTheBatchingReckons(
      @ForAll @NotEmpty String user, @ForAll @LongRange(min = 0, max = CellId.MAX_CID) long cid) {
    LocatedRecord record =
        new LocatedRecord(
            user,
            new CellId(CellId.MAX_MCC, CellId.MAX_MNC, CellId.MAX_AREA, cid),
            TIMESTAMP_MILLIS,
            POSITION);
    BasicOutputBuffer encoded = new BasicOutputBuffer();
    new BsonDocumentCodec()
        .encode(new BsonBinaryWriter(encoded), document(record), EncoderContext.builder().build());

    assertThat(encoded.getSize())
        .isLessThanOrEqualTo(new HistoryBatching(TestHistory.MONTHS).maxEncodedBytes(record));
  }

  @Property(tries = 500)
  void noDocumentWithAShapeIsLargerThanTheBatchingReckons(
      @ForAll @IntRange(min = 0, max = 2_000) int points) {
    String pairs = "[1,2]" + ",[1,2]".repeat(points);
    Fix fix =
        new Fix(
            POSITION,
            PositionSource.NETWORK,
            1.0,
            1.0,
            "{\"type\":\"Polygon\",\"coordinates\":[[" + pairs + "]]}");
    LocatedRecord record =
        new LocatedRecord(
            "u",
            new Place.AtFixAndCell(
                fix,
                new CellId(CellId.MAX_MCC, CellId.MAX_MNC, CellId.MAX_AREA, CellId.MAX_CID),
                null),
            TIMESTAMP_MILLIS,
            POSITION,
            true);
    BasicOutputBuffer encoded = new BasicOutputBuffer();
    new BsonDocumentCodec()
        .encode(new BsonBinaryWriter(encoded), document(record), EncoderContext.builder().build());

    assertThat(encoded.getSize())
        .isLessThanOrEqualTo(new HistoryBatching(TestHistory.MONTHS).maxEncodedBytes(record));
  }

  private static BsonDocument document(LocatedRecord record) {
    return ((InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record))
        .getDocument();
  }
}
