package io.lastfix.store.alerts;

import static io.lastfix.store.alerts.TestAlerts.FAST;
import static io.lastfix.store.alerts.TestAlerts.LEFT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonArray;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

class AlertConverterTest {
  private static final String DOCUMENT =
      """
      {_id: {user: "ashgati", at: {$date: "2026-11-20T12:00:00Z"}, rule: "left-airport",
             v: {$numberLong: "4"}, kind: "left"},
       confirmed: {$date: "2026-11-20T12:01:00Z"}, fence: "sfo", cause: "record",
       loc: {lon: -122.4, lat: 37.7}, cell: "310-260-7-1", src: "gnss", acc: 12.0,
       certainty: 0.75, counted: {$numberLong: "3"},
       then: [{webhook: "dispatch"}, {mqtt: "lastfix/v1/alerts"}]}\
      """;

  /** What is in the database after the first write. */
  private static BsonDocument document(Alert alert) {
    UpdateOneModel<BsonDocument> write = write(alert);
    BsonDocument update = Objects.requireNonNull(write.getUpdate()).toBsonDocument();
    assertThat(update.keySet()).containsExactly("$setOnInsert");
    assertThat(write.getOptions().isUpsert()).isTrue();
    BsonDocument document = write.getFilter().toBsonDocument().clone();
    document.putAll(update.getDocument("$setOnInsert"));
    return document;
  }

  private static UpdateOneModel<BsonDocument> write(Alert alert) {
    return (UpdateOneModel<BsonDocument>) AlertConverter.upsert(alert);
  }

  @Example
  void theDocumentHasTheseFields() {
    assertThat(document(LEFT)).isEqualTo(BsonDocument.parse(DOCUMENT));
    assertThat(write(LEFT).getFilter()).isEqualTo(new BsonDocument("_id", AlertConverter.id(LEFT)));
    assertThat(document(FAST))
        .isEqualTo(
            BsonDocument.parse(
                """
                {_id: {user: "anna", at: {$date: "2026-11-20T12:00:00.001Z"}, rule: "fast",
                       v: {$numberLong: "1"}, kind: "expr"},
                 confirmed: {$date: "2026-11-20T12:00:00.001Z"}, cause: "record",
                 loc: {lon: 0.0, lat: 0.0}, src: "cell", certainty: 1.0,
                 counted: {$numberLong: "0"}, then: []}\
                """));
  }

  @Example
  void theAcknowledgementIsRead() {
    BsonDocument document = BsonDocument.parse(DOCUMENT);
    assertThat(AlertConverter.acknowledgement(document)).isEmpty();

    document.append(
        "ack", BsonDocument.parse("{at: {$date: \"2026-11-20T12:05:00Z\"}, by: \"anna\"}"));
    assertThat(AlertConverter.acknowledgement(document))
        .contains(new Acknowledgement(Instant.parse("2026-11-20T12:05:00Z"), "anna", null));
    assertThat(AlertConverter.read(document)).isEqualTo(LEFT);

    document.getDocument("ack").append("note", new BsonString("a false alarm"));
    assertThat(AlertConverter.acknowledgement(document))
        .contains(
            new Acknowledgement(Instant.parse("2026-11-20T12:05:00Z"), "anna", "a false alarm"));
  }

  @Example
  void actionsOfALaterReleaseAreSkipped_AndNumbersMayHaveAnotherType() {
    BsonDocument document = BsonDocument.parse(DOCUMENT).append("counted", new BsonInt32(3));
    document.getArray("then").add(BsonDocument.parse("{pager: 7}"));
    document.getArray("then").add(BsonNull.VALUE);

    assertThat(AlertConverter.read(document)).isEqualTo(LEFT);
  }

  @Example
  void aDocumentThatIsNoAlertIsRefused_WithTheField() {
    assertRefused("loc", "here", "loc: expected DOCUMENT, found STRING");
    assertRefused("then", null, "then: expected ARRAY, found nothing");
    assertRefused("counted", "three", "counted: expected a number, found STRING");
    assertRefused("cause", "moved", "cause: expected another text");
    assertRefused("src", "dice", "src: expected another text");
    assertThatThrownBy(() -> AlertConverter.read(new BsonDocument("_id", new BsonArray())))
        .hasMessage("_id: expected DOCUMENT, found ARRAY");
  }

  private static void assertRefused(String field, @Nullable String value, String message) {
    BsonDocument document = BsonDocument.parse(DOCUMENT);
    if (value == null) {
      document.remove(field);
    } else {
      document.put(field, new BsonString(value));
    }
    assertThatThrownBy(() -> AlertConverter.read(document))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Property(tries = 2_000)
  void anAlertIsReadAgain(@ForAll("alerts") Alert alert) {
    assertThat(AlertConverter.read(document(alert))).isEqualTo(alert);
    assertThat(AlertConverter.acknowledgement(document(alert))).isEmpty();
  }

  /** As an element of the command {@code update}. */
  @Property(tries = 2_000)
  void theWriteHasNoMoreBytesThanTheBound(@ForAll("alerts") Alert alert) {
    UpdateOneModel<BsonDocument> write = write(alert);
    BsonDocument sent =
        new BsonDocument("q", write.getFilter().toBsonDocument())
            .append("u", Objects.requireNonNull(write.getUpdate()).toBsonDocument())
            .append("multi", BsonBoolean.FALSE)
            .append("upsert", BsonBoolean.TRUE);

    assertThat(bytes(sent)).isLessThanOrEqualTo(AlertConverter.maxEncodedBytes(alert));
  }

  private static int bytes(BsonDocument document) {
    try (BasicOutputBuffer buffer = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      new BsonDocumentCodec().encode(writer, document, EncoderContext.builder().build());
      return buffer.getSize();
    }
  }

  @Provide
  Arbitrary<Alert> alerts() {
    Arbitrary<String> texts =
        Arbitraries.of("a", "$", ".", "\0", "é", "€", "\ud83d\ude00", "\"", " ")
            .list()
            .ofMaxSize(20)
            .map(parts -> String.join("", parts));
    Arbitrary<String> ids = Arbitraries.strings().withChars("az09-").ofMinLength(1).ofMaxLength(64);
    Arbitrary<Long> longs = Arbitraries.longs();
    Arbitrary<CellId> cells =
        Arbitraries.of(
            new CellId(0, 0, CellId.NO_AREA, 0),
            new CellId(CellId.MAX_MCC, CellId.MAX_MNC, CellId.MAX_AREA, CellId.MAX_CID));
    Arbitrary<Position> positions =
        Combinators.combine(
                Arbitraries.doubles().between(-180, 180), Arbitraries.doubles().between(-90, 90))
            .as(Position::new);
    Arbitrary<List<Action>> actions =
        Combinators.combine(Arbitraries.of(Action.Kind.class), texts)
            .as(Action::new)
            .list()
            .ofMaxSize(12);
    Arbitrary<Alert> identified =
        Combinators.combine(
                texts, longs, ids, longs, Arbitraries.of(Alert.Kind.class), positions, actions)
            .as(
                (user, at, rule, version, kind, position, then) ->
                    new Alert(
                        user,
                        at,
                        rule,
                        version,
                        kind,
                        at,
                        null,
                        Alert.Cause.RECORD,
                        position,
                        null,
                        PositionSource.CELL,
                        null,
                        1,
                        0,
                        then));
    return Combinators.combine(
            identified,
            longs,
            texts.injectNull(0.3),
            Arbitraries.of(Alert.Cause.class),
            cells.injectNull(0.3),
            Arbitraries.of(PositionSource.class).injectNull(0.3),
            Arbitraries.doubles().between(0, 1e9).injectNull(0.3),
            longs)
        .as(
            (alert, confirmed, fence, cause, cell, source, accuracy, counted) ->
                new Alert(
                    alert.user(),
                    alert.atMillis(),
                    alert.rule(),
                    alert.version(),
                    alert.kind(),
                    confirmed,
                    fence,
                    cause,
                    source == null ? null : alert.position(),
                    cell,
                    source,
                    accuracy,
                    1.0 / 3,
                    counted,
                    alert.then()));
  }
}
