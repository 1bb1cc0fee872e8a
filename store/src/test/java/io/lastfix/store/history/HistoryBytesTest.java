package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.InsertOneModel;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The document's bytes give what its fields give, one by one: a record or a message. */
class HistoryBytesTest {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private static BsonDocument document(LocatedRecord record) {
    return ((InsertOneModel<BsonDocument>) new HistoryDocumentConverter().apply(record))
        .getDocument();
  }

  private static List<BsonDocument> usual() {
    BsonDocument completed = document(TestRecords.RECORD);
    completed.append("located", new BsonDateTime(1)).append("more", new BsonInt64(1));
    BsonDocument anotherOrder = new BsonDocument("loc", completed.get("loc"));
    anotherOrder.putAll(document(TestRecords.RECORD));
    return List.of(
        document(TestRecords.RECORD),
        document(TestRecords.withFix()),
        document(TestRecords.withFixAndCell(null, false)),
        document(TestRecords.withFixAndCell(TestRecords.POSITION, true)),
        completed,
        anotherOrder);
  }

  private static Stream<BsonDocument> documents() {
    List<BsonDocument> all = new ArrayList<>(usual());
    all.add(document(TestRecords.unlocated()));
    List<BsonValue> values =
        List.of(
            BsonNull.VALUE,
            new BsonString(""),
            new BsonString("-"),
            new BsonInt32(1),
            new BsonInt64(1),
            new BsonDouble(-1),
            BsonBoolean.TRUE,
            new BsonDateTime(-1),
            new BsonDocument(),
            new BsonDocument("lat", new BsonDouble(1)).append("lon", new BsonDouble(2)),
            new BsonDocument("lon", new BsonDouble(1))
                .append("lat", new BsonDouble(2))
                .append("alt", new BsonDouble(3)),
            new BsonDocument("lon", new BsonDouble(181)).append("lat", new BsonDouble(2)),
            new BsonString(PositionSource.CELL.text()),
            new BsonString(PositionSource.GNSS.text()));
    for (BsonDocument document : usual()) {
      for (String field : List.of("user", "ts", "cell", "loc", "src", "acc", "radio", "alt")) {
        all.add(changed(document, it -> it.remove(field)));
        for (BsonValue value : values) {
          all.add(changed(document, it -> it.put(field, value)));
        }
      }
    }
    return all.stream();
  }

  private static BsonDocument changed(BsonDocument document, Consumer<BsonDocument> change) {
    BsonDocument changed = document.clone();
    change.accept(changed);
    return changed;
  }

  private static String outcome(
      Function<BsonDocument, LocatedRecord> reading, BsonDocument document) {
    try {
      return reading.apply(document).toString();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static RawBsonDocument raw(BsonDocument document) {
    return new RawBsonDocument(document, CODEC);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void bytesGiveTheSameRecordOrTheSameMessage(BsonDocument document) {
    assertThat(outcome(HistoryDocument::toRecord, raw(document)))
        .isEqualTo(outcome(HistoryDocument::toRecord, document));
    assertThat(outcome(HistoryDocument::toAnyRecord, raw(document)))
        .isEqualTo(outcome(HistoryDocument::toAnyRecord, document));
  }

  @ParameterizedTest
  @MethodSource("usual")
  void usualDocumentsAreReadAtOnce(BsonDocument document) {
    assertThat(HistoryBytes.read(raw(document))).isNotNull();
  }

  @Test
  void aFieldThatIsThereTwiceIsLeftToTheReaderOfFields() {
    BasicOutputBuffer bytes = new BasicOutputBuffer();
    try (BsonBinaryWriter writer = new BsonBinaryWriter(bytes)) {
      writer.writeStartDocument();
      writer.writeString("user", "first");
      writer.writeString("user", "second");
      writer.writeDateTime("ts", 1);
      writer.writeString("cell", TestRecords.CELL.toString());
      writer.writeString("src", "cell");
      writer.writeName("loc");
      writer.writeStartDocument();
      writer.writeDouble("lon", 1);
      writer.writeDouble("lat", 2);
      writer.writeEndDocument();
      writer.writeEndDocument();
    }
    RawBsonDocument twice = new RawBsonDocument(bytes.toByteArray());

    assertThat(HistoryBytes.read(twice)).isNull();
    assertThat(HistoryDocument.toRecord(twice).user()).isEqualTo("first");
  }

  @Test
  void whatIsNoDocumentOfBytesIsLeftToTheReaderOfFields() {
    assertThat(HistoryBytes.read(document(TestRecords.RECORD))).isNull();
  }
}
